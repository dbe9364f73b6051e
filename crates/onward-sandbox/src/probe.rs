//! What of containment this machine has: found out by doing it.
//!
//! Kernels, their settings and containers refuse parts of it in many ways. So nothing is concluded from versions: a
//! launcher sets the tier up for a program that does nothing, and what it says is the answer. Asked once in a process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use onward_event::{FileAccess, NetworkAccess, Tier};

use crate::launch::order::{Jail, LaunchOrder};
use crate::setup::{Choice, Limits};
use crate::start::{Beginning, Launched};
use crate::sys;

/// How long a tier may take to be set up before it counts as not to be had.
const PATIENCE: Duration = Duration::from_secs(10);
/// Something that is everywhere and does nothing.
const NOTHING: &[&str] = &["/bin/true", "/usr/bin/true", "/run/current-system/sw/bin/true"];
/// Before this version of Landlock any file could be cut to nothing.
const LEAST_LANDLOCK: u32 = 3;

/// What this machine offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// Namespaces of its own.
    pub namespaces: Offer,
    /// Landlock and seccomp.
    pub landlock: Offer,
    /// The kernel's version of Landlock, if it has any.
    pub landlock_version: Option<u32>,
}

/// Whether a tier can be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Offer {
    /// It can; without these parts, which the kernel is too old for.
    Available(Vec<String>),
    /// It cannot: why, with what may help.
    Refused(String),
}

impl Probe {
    /// Whether and how this tier can be had.
    pub fn offer(&self, tier: Tier) -> Offer {
        match tier {
            Tier::Namespaces => self.namespaces.clone(),
            Tier::Landlock => self.landlock.clone(),
            Tier::None => Offer::Available(Vec::new()),
        }
    }
}

/// Tries every tier; `program` is one that calls [`crate::launch`] under [`crate::LAUNCHER`]. Takes some milliseconds
/// the first time.
pub fn probe(program: &Path) -> Probe {
    let version = sys::landlock_version().ok();
    Probe {
        namespaces: offer(program, Tier::Namespaces),
        landlock: offer(program, Tier::Landlock),
        landlock_version: version,
    }
}

/// The tier for this choice.
///
/// # Errors
/// Why there is none, and what to do.
pub(crate) fn tier(program: &Path, choice: Choice) -> Result<Tier, String> {
    let refused = |tier| match offer(program, tier) {
        Offer::Available(_) => None,
        Offer::Refused(why) => Some(why),
    };
    let wanted: &[Tier] = match &choice {
        Choice::Waived | Choice::Exactly(Tier::None) => return Ok(Tier::None),
        Choice::Auto => &[Tier::Namespaces, Tier::Landlock],
        Choice::Exactly(tier) => std::slice::from_ref(tier),
    };
    let mut reasons = Vec::new();
    for tier in wanted {
        match refused(*tier) {
            None => return Ok(*tier),
            Some(why) => reasons.push(format!("{}: {why}", tier.name())),
        }
    }
    Err(format!(
        "commands cannot be contained on this machine, so none is run ({}). `onward doctor` explains; to run commands \
         without containment all the same, say `--sandbox none`",
        reasons.join("; ")
    ))
}

fn offer(program: &Path, tier: Tier) -> Offer {
    static KNOWN: Mutex<BTreeMap<(PathBuf, Tier), Offer>> = Mutex::new(BTreeMap::new());
    // Held while it is tried: others want the same answer. A panic of another leaves the map as it was.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry((program.to_owned(), tier)).or_insert_with(|| attempt(program, tier)).clone()
}

fn attempt(program: &Path, tier: Tier) -> Offer {
    let version = sys::landlock_version();
    if let (Tier::Landlock, Ok(version)) = (tier, &version)
        && *version < LEAST_LANDLOCK
    {
        return Offer::Refused(format!(
            "the kernel's Landlock (version {version}) cannot keep files from being truncated: Linux 6.2 can"
        ));
    }
    match try_tier(program, tier) {
        Ok(()) => Offer::Available(missing(tier, version.ok())),
        Err(why) => Offer::Refused(with_hint(tier, why)),
    }
}

fn try_tier(program: &Path, tier: Tier) -> Result<(), String> {
    let nothing =
        NOTHING.iter().find(|path| Path::new(path).exists()).ok_or("there is no `true` to try it with")?;
    let order = LaunchOrder {
        argv: vec![(*nothing).to_owned()],
        environment: Vec::new(),
        dir: "/".into(),
        own_group: true,
        jail: Jail {
            tier,
            files: FileAccess::ReadOnly,
            network: NetworkAccess::Closed,
            workspace: "/usr".into(),
            writable: Vec::new(),
            hidden: Vec::new(),
            protected: Vec::new(),
            nested: Vec::new(),
            limits: Limits::default(),
            scratch: None,
        },
    };
    let cannot = |error| format!("a launcher could not be started: {error}");
    let launched = Launched::start(program, &order, Stdio::null(), Stdio::null());
    let mut launched = launched.map_err(cannot)?;
    let beginning = launched.beginning(PATIENCE);
    if beginning == Beginning::Late {
        launched.kill();
    }
    let ended = launched.wait().map_err(cannot)?;
    match beginning {
        Beginning::Began if ended.success() => Ok(()),
        Beginning::Began => Err(format!("a program that does nothing failed in it: {ended}")),
        Beginning::Failed(why) => Err(why),
        Beginning::Late => Err(format!("it was not set up within {} s", PATIENCE.as_secs())),
    }
}

/// What a tier lacks with this version of Landlock.
fn missing(tier: Tier, version: Option<u32>) -> Vec<String> {
    let mut missing = Vec::new();
    let mut lacks = |least: u32, what: &str| {
        if version.unwrap_or(0) < least {
            missing.push(what.to_owned());
        }
    };
    if tier == Tier::Namespaces {
        lacks(1, "no Landlock inside as a second wall");
        return missing;
    }
    lacks(4, "TCP is denied by the kinds of sockets only (Linux 6.7 denies it by port too)");
    lacks(5, "controls of devices are not denied (Linux 6.10)");
    lacks(6, "processes of the same user can be signalled (Linux 6.12)");
    missing
}

fn with_hint(tier: Tier, why: String) -> String {
    let setting = |path: &str| std::fs::read_to_string(path).unwrap_or_default().trim().to_owned();
    let hint = match tier {
        Tier::Namespaces if setting("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1" => {
            "AppArmor keeps ordinary programs from it: give this one a profile with `userns`, or set \
             kernel.apparmor_restrict_unprivileged_userns=0"
        }
        Tier::Namespaces if setting("/proc/sys/user/max_user_namespaces") == "0" => {
            "they are switched off: set user.max_user_namespaces to more than 0"
        }
        Tier::Namespaces if setting("/proc/sys/kernel/unprivileged_userns_clone") == "0" => {
            "they are for root only: set kernel.unprivileged_userns_clone=1"
        }
        Tier::Namespaces if why.contains("/proc of its own") => {
            "a container that hides parts of its /proc allows no new one: run it with an unmasked /proc"
        }
        Tier::Landlock if sys::landlock_version().is_err() => {
            "Landlock is not in the kernel, or not in its list of security modules (`lsm=` when it starts)"
        }
        _ => return why,
    };
    format!("{why} ({hint})")
}
