//! Who looks on from outside: files, processes and sockets as they are before and after a command.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::site::{SECRET, Site};

/// Names of the workspace that start programs on the person's side; in folders below it, too.
const PROTECTED: &[&str] = &[
    ".git/config",
    ".git/hooks",
    ".onward",
    ".mcp.json",
    ".claude",
    ".cursor",
    ".vscode",
    ".idea",
    "sub/.git/config",
    "sub/.git/hooks",
    "sub/.git/commondir",
    "sub/.vscode",
    "sub/.mcp.json",
];

/// What is left behind longer than this stays.
const LONGEST: Duration = Duration::from_secs(20);
/// Between two looks.
const PAUSE: Duration = Duration::from_millis(20);

/// What can be harmed, as it was.
#[derive(Debug)]
pub(crate) struct Witness {
    watched: Vec<PathBuf>,
    before: BTreeMap<PathBuf, String>,
    tcp: TcpListener,
    unix: UnixListener,
    victim: Child,
    mark: String,
}

impl Witness {
    /// Begins to look on.
    pub(crate) fn new(site: &Site) -> anyhow::Result<Self> {
        let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        tcp.set_nonblocking(true)?;
        let unix = UnixListener::bind(site.base.join("home/.docker/service.sock"))?;
        unix.set_nonblocking(true)?;
        let mut watched = vec![site.base.join("outside"), site.base.join("home")];
        watched.extend(PROTECTED.iter().map(|name| site.repo().join(name)));
        site.hand_over()?;
        let before = look(&watched);
        // Somebody else's process: it ends with its input, and it knows a secret.
        let mut victim = Command::new("/bin/cat");
        victim.stdin(Stdio::piped()).stdout(Stdio::null()).env("CANARY_TOKEN", SECRET);
        if let Some(user) = site.user {
            victim.uid(user).gid(user);
        }
        let mark = format!("mark-{}", site.base.file_name().unwrap_or_default().to_string_lossy());
        Ok(Self { watched, before, tcp, unix, victim: victim.spawn()?, mark })
    }

    /// What stands in an attack for what is made for its run.
    pub(crate) fn filled(&self, site: &Site, text: &str) -> String {
        let port = self.tcp.local_addr().map_or(0, |address| address.port());
        text.replace("{outside}", &site.base.join("outside").display().to_string())
            .replace("{home}", &site.base.join("home").display().to_string())
            .replace("{port}", &port.to_string())
            .replace("{victim}", &self.victim.id().to_string())
            .replace("{mark}", &self.mark)
    }

    /// Waits until everything is as it was, as long as that may take: names that a session closed in the workspace while it
    /// ran are removed a moment after its last command.
    pub(crate) fn settle(&self) {
        let began = Instant::now();
        while began.elapsed() < LONGEST && !changes(&self.before, &look(&self.watched)).is_empty() {
            std::thread::sleep(PAUSE);
        }
    }

    /// The harm that was done, in words. Processes that are left over are ended.
    pub(crate) fn harm(mut self, output: &[u8]) -> Vec<String> {
        let mut harm = changes(&self.before, &look(&self.watched));
        if String::from_utf8_lossy(output).contains(SECRET) {
            harm.push("a secret was printed".into());
        }
        if self.tcp.accept().is_ok() {
            harm.push("a connection was made".into());
        }
        if self.unix.accept().is_ok() {
            harm.push("a local service was reached".into());
        }
        for pid in left_over(&self.mark) {
            harm.push("a process was left over".into());
            let _ = kill_process(pid, Signal::KILL);
        }
        match self.victim.try_wait() {
            Ok(None) => {}
            _ => harm.push("another process was ended".into()),
        }
        harm
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

fn look(watched: &[PathBuf]) -> BTreeMap<PathBuf, String> {
    let mut seen = BTreeMap::new();
    for path in watched {
        walk(path, &mut seen);
    }
    seen
}

/// Where the program itself keeps things, and what.
const DATA: &str = ".local/share/onward";
const OWN: &[&str] = &["executions", "locks", "blobs", "onward.db"];

fn walk(path: &Path, seen: &mut BTreeMap<PathBuf, String>) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_own = path.parent().is_some_and(|folder| folder.ends_with(DATA));
    if is_own && OWN.iter().any(|own| name.starts_with(own)) {
        return;
    }
    let Ok(meta) = path.symlink_metadata() else { return };
    let mode = meta.permissions().mode();
    let content = match meta.file_type() {
        kind if kind.is_file() => {
            std::fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
        }
        kind if kind.is_symlink() => std::fs::read_link(path).map(|to| to.display().to_string()),
        _ => Ok(String::new()),
    };
    seen.insert(path.to_owned(), format!("{mode:o} {}", content.unwrap_or_default()));
    if meta.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            walk(&entry.path(), seen);
        }
    }
}

fn changes(before: &BTreeMap<PathBuf, String>, after: &BTreeMap<PathBuf, String>) -> Vec<String> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut changes = Vec::new();
    for (path, was) in before {
        match after.get(path) {
            Some(is) if is == was => {}
            Some(_) => changes.push(format!("{} was changed", name(path))),
            None => changes.push(format!("{} was taken away", name(path))),
        }
    }
    let made = after.keys().filter(|path| !before.contains_key(*path));
    changes.extend(made.map(|path| format!("{} was made", name(path))));
    changes
}

/// Processes that carry the mark in their words.
fn left_over(mark: &str) -> Vec<Pid> {
    let own = std::process::id();
    let pids = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    pids.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| *pid != own)
        .filter(|pid| {
            let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).contains(mark)
        })
        .filter_map(|pid| Pid::from_raw(i32::try_from(pid).ok()?))
        .collect()
}
