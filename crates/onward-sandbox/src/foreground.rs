//! A contained command in the foreground: its output is this process's.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use onward_event::{Sandbox, Tier};
use rustix::process::{Pid, set_child_subreaper};

use crate::contained::{Contained, Finished};
use crate::launch::channel::Report;
use crate::launch::order::{Jail, LaunchOrder};
use crate::protect::Nested;
use crate::setup::SandboxSetup;
use crate::start::{Beginning, Launched};
use crate::supervisor::tree;

/// How long the sandbox may take to be set up.
const PATIENCE: Duration = Duration::from_secs(60);

/// A command for the foreground.
#[derive(Clone, Debug)]
pub struct Foreground<'a> {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The whole environment.
    pub environment: Vec<(String, String)>,
    /// Where; absolute.
    pub dir: String,
    /// The folder that it may change, if it may change any; absolute.
    pub workspace: String,
    /// How it is contained; a tier that contains.
    pub sandbox: Sandbox,
    /// What else holds.
    pub setup: &'a SandboxSetup,
    /// A folder of this program for notes that outlive a crash.
    pub notes: &'a Path,
    /// A program that calls [`crate::launch`] under [`crate::LAUNCHER`].
    pub program: &'a Path,
}

/// Runs the command to its end and ends whatever it leaves behind. Returns how it ended, and a line for each thing that was
/// put back. The process becomes the parent of whatever loses its own.
///
/// # Errors
/// Why nothing was run.
pub fn run_in_foreground(command: Foreground<'_>) -> Result<(ExitStatus, Vec<String>), String> {
    set_child_subreaper(Pid::from_raw(1))
        .map_err(|error| format!("its processes could not be kept together: {error}"))?;
    let tier = command.sandbox.tier;
    let order = LaunchOrder {
        argv: command.argv,
        environment: command.environment,
        dir: command.dir,
        own_group: false,
        jail: Jail::new(&command.sandbox, &command.workspace, command.setup),
    };
    let nested = Nested::look(&order.jail);
    // This process may have any number of threads, so that the launcher is started and not forked.
    let start = |order: &_| {
        Launched::start(command.program, order, Stdio::inherit(), Stdio::inherit())
            .map_err(|error| format!("the launcher could not be started: {error}"))
    };
    let mut contained = Contained::start(order, command.notes, nested, start)?;
    let began = contained.beginning(PATIENCE);
    if matches!(began, Beginning::Late) {
        contained.launched.kill();
    }
    let status = contained.launched.wait();
    tree::kill_all(contained.launched.main, &mut None);
    let Finished { report, restored, places } = contained.finish();
    if let Some(places) = places {
        places.take_away();
    }
    match began {
        Beginning::Failed(why) => return Err(why),
        Beginning::Late => return Err(format!("the sandbox was not set up within {} s", PATIENCE.as_secs())),
        Beginning::Began => {}
    }
    let status =
        status.map_err(|error| format!("the command ran, and its end could not be seen: {error}"))?;
    let status = match report {
        Some(Report::Ended { status, .. }) if tier == Tier::Namespaces => ExitStatus::from_raw(status),
        _ => status,
    };
    Ok((status, restored))
}
