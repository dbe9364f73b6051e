//! A contained command under a supervisor.

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;
use std::time::Instant;

use onward_event::Tier;
use rustix::process::Pid;

use super::ready::Containing;
use super::tree;
use crate::contained::{Contained, Finished};
use crate::folder::Folder;
use crate::launch::channel::Report;
use crate::launch::order::LaunchOrder;
use crate::protect::{Nested, Places};
use crate::spec::{How, Order, Verdict};
use crate::start::Beginning;

/// Starts the command. A launcher that needs too long is left to the time limit.
///
/// # Errors
/// Why nothing was run.
pub(super) fn start(
    folder: &Folder,
    order: &Order,
    (mut containing, nested): (Containing, Nested),
    writer: io::PipeWriter,
    deadline: Instant,
) -> io::Result<(Pid, Contained)> {
    let launch = LaunchOrder {
        argv: order.argv.clone(),
        environment: order.environment.clone(),
        dir: order.dir.clone(),
        own_group: true,
        jail: containing.jail.clone(),
    };
    let left = || deadline.saturating_duration_since(Instant::now());
    let start = |order: &_| containing.launch(order, &writer, left());
    let mut contained = Contained::start(launch, &folder.notes(), nested, start).map_err(io::Error::other)?;
    // From here on the command has the only ends to write to.
    drop(writer);
    match contained.beginning(left()) {
        Beginning::Began | Beginning::Late => Ok((contained.launched.main, contained)),
        Beginning::Failed(why) => {
            tree::kill_all(contained.launched.main, &mut None);
            if let Some(places) = contained.finish().places {
                places.take_away();
            }
            Err(io::Error::other(why))
        }
    }
}

/// The verdict, with what the launcher knows better and what was put back; and what is still to be taken away.
pub(super) fn settled(verdict: Verdict, contained: Contained, tier: Tier) -> (Verdict, Option<Places>) {
    let Finished { report, restored, places } = contained.finish();
    (with_report(Verdict { restored, ..verdict }, report, tier), places)
}

fn with_report(mut verdict: Verdict, report: Option<Report>, tier: Tier) -> Verdict {
    if let (How::Exited(_), Some(Report::Failed(why))) = (&verdict.how, &report) {
        verdict.how = How::NotStarted(why.clone());
        return verdict;
    }
    // Anything else than an exit is the supervisor's own knowledge.
    if tier == Tier::Namespaces && matches!(verdict.how, How::Exited(_)) {
        match report {
            Some(Report::Ended { status, left_behind }) => {
                let status = ExitStatus::from_raw(status);
                verdict.left_behind |= left_behind;
                verdict.how = match (status.code(), status.signal()) {
                    (Some(code), _) => How::Exited(code),
                    (None, Some(signal)) => How::Signalled(signal),
                    (None, None) => verdict.how,
                };
            }
            // Process 1 was killed, and with it everything.
            _ => verdict.how = How::Signalled(rustix::process::Signal::KILL.as_raw()),
        }
    }
    verdict
}
