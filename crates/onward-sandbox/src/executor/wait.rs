//! Waiting for a supervisor: by its process when it is ours, by its lock when it is not.

use std::io;
use std::time::Duration;

use onward_port::{Cancel, Execution, ExecutionResult};

use super::deadline::{Deadline, not_answering};
use super::supervisor::Supervisor;
use crate::folder::{Folder, Gate};
use crate::spec::{How, Verdict};

/// The pause between two looks at the lock, at first; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(100);

/// Waits for a supervisor that this process has started.
pub(super) async fn for_ours(
    folder: &Folder,
    mut supervisor: Supervisor,
    mut deadline: Deadline,
    cancel: &dyn Cancel,
) -> Execution {
    let mut asked = false;
    loop {
        tokio::select! {
            () = supervisor.is_silent() => return match folder.result() {
                // Whatever is left of the process has nothing more to say.
                Ok(Some(verdict)) => ended(folder, &verdict),
                _ => match supervisor.end().await {
                    Ok(()) => outcome(folder),
                    Err(error) => Execution::Unknown(format!("its supervisor cannot be waited for: {error}")),
                },
            },
            () = cancel.cancelled(), if !asked => {
                if let Err(error) = folder.ask_to_stop() {
                    return cannot_stop(&error);
                }
                asked = true;
                deadline.asked_to_stop();
            }
            () = deadline.over(folder) => return not_answering(folder),
        }
    }
}

/// Waits for a supervisor that another process has started.
pub(super) async fn for_lock(folder: &Folder, margin: Duration, cancel: &dyn Cancel) -> Execution {
    let (mut pause, mut asked) = (FIRST_PAUSE, false);
    let mut deadline = Deadline::of_folder(folder, margin);
    loop {
        match folder.is_locked() {
            Ok(false) => return outcome(folder),
            Ok(true) if deadline.is_over(folder) => return not_answering(folder),
            Ok(true) => {}
            Err(error) => return Execution::Unknown(format!("its lock cannot be read: {error}")),
        }
        if cancel.is_cancelled() && !asked {
            if let Err(error) = folder.ask_to_stop() {
                return cannot_stop(&error);
            }
            asked = true;
            deadline.asked_to_stop();
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = cancel.cancelled(), if !asked => {}
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Closes the gate, if nobody went through it.
pub(super) fn revoke(folder: &Folder) -> io::Result<Gate> {
    folder.claim(Gate::Revoked)
}

/// What the folder of a supervisor that is gone says.
fn outcome(folder: &Folder) -> Execution {
    match folder.result() {
        Ok(Some(verdict)) => ended(folder, &verdict),
        // It may be gone before it went through the gate: then it never will.
        Ok(None) => match revoke(folder) {
            Ok(Gate::Revoked) => Execution::NotBegun("its supervisor ended before it began".into()),
            Ok(Gate::Started) => {
                Execution::Unknown("its supervisor was killed while it ran, and has left no result".into())
            }
            Err(error) => Execution::Unknown(format!("its folder cannot be read: {error}")),
        },
        Err(error) => Execution::Unknown(format!("its result cannot be read: {error}")),
    }
}

/// How an execution ended, with what it said.
pub(super) fn ended(folder: &Folder, verdict: &Verdict) -> Execution {
    let end = match verdict.how.end() {
        Ok(end) => end,
        Err(why) if matches!(verdict.how, How::NotStarted(_)) => return Execution::NotBegun(why.to_owned()),
        Err(why) => return Execution::Unknown(why.to_owned()),
    };
    // An output that is gone takes nothing from the truth of the end.
    let read = |path| std::fs::read(path).unwrap_or_default();
    Execution::Ended(ExecutionResult {
        end,
        millis: verdict.millis,
        total: verdict.total,
        kept: read(folder.output()),
        tail: read(folder.tail()),
        left_behind: verdict.left_behind,
        restored: verdict.restored.clone(),
    })
}

fn cannot_stop(error: &io::Error) -> Execution {
    Execution::Unknown(format!("it was to be stopped, and its supervisor cannot be told: {error}"))
}
