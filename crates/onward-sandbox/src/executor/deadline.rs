//! How long an owner waits for a supervisor. A supervisor keeps the time limit of its command; one that is stopped, or
//! that the system does not let run, keeps none, so the owner has a limit of its own.

use std::time::Duration;

use onward_port::{Execution, ExecutionSpec};
use tokio::time::{Instant, sleep, sleep_until};

use super::wait;
use crate::folder::{Folder, Gate};
use crate::supervisor::ROOM_LIMIT;

/// The pause between two looks once the time is over and the supervisor says that it waits for room.
const LOOK: Duration = Duration::from_secs(1);

/// When a supervisor counts as one that does not answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    /// When the command's own limits are over; none when they are not known.
    due: Option<Instant>,
    grace: Duration,
    /// What the supervisor may take beyond that.
    margin: Duration,
}

impl Deadline {
    /// For a supervisor that is about to be started with these limits.
    pub(super) fn of_spec(spec: &ExecutionSpec, margin: Duration) -> Self {
        Self { due: after(spec.timeout.saturating_add(spec.grace)), grace: spec.grace, margin }
    }

    /// For one that another process has started: as it says itself.
    pub(super) fn of_folder(folder: &Folder, margin: Duration) -> Self {
        match folder.supervisor() {
            Some(supervisor) => Self { due: after(supervisor.left()), grace: supervisor.grace(), margin },
            None => Self { due: None, grace: Duration::ZERO, margin },
        }
    }

    /// The command was asked to stop: it has the usual time for that, and no more.
    pub(super) fn asked_to_stop(&mut self) {
        let stop = after(self.grace);
        self.due = match (self.due, stop) {
            (Some(due), Some(stop)) => Some(due.min(stop)),
            (due, stop) => due.or(stop),
        };
    }

    /// Whether it is over. A supervisor that waits for room to write its result is given the time that it takes for that.
    pub(super) fn is_over(&self, folder: &Folder) -> bool {
        let Some(end) = self.end() else { return false };
        let now = Instant::now();
        now >= end && (!folder.waits_for_room() || now.duration_since(end) >= ROOM_LIMIT)
    }

    /// Returns when it is over.
    pub(super) async fn over(&self, folder: &Folder) {
        match self.end() {
            None => std::future::pending().await,
            Some(end) => sleep_until(end).await,
        }
        while !self.is_over(folder) {
            sleep(LOOK).await;
        }
    }

    fn end(&self) -> Option<Instant> {
        self.due?.checked_add(self.margin)
    }
}

/// What is known about an execution whose supervisor does not answer.
pub(super) fn not_answering(folder: &Folder) -> Execution {
    if let Ok(Some(verdict)) = folder.result() {
        return wait::ended(folder, &verdict);
    }
    match wait::revoke(folder) {
        Ok(Gate::Revoked) => {
            Execution::NotBegun("its supervisor did not begin in time, and now never will".into())
        }
        Ok(Gate::Started) => Execution::Unknown(who(folder)),
        Err(error) => Execution::Unknown(format!("its folder cannot be read: {error}")),
    }
}

fn who(folder: &Folder) -> String {
    let Some(supervisor) = folder.supervisor() else {
        return "its supervisor does not answer; the command may still run".into();
    };
    let pid = supervisor.pid;
    match supervisor.is_stopped() {
        true => format!(
            "its supervisor (process {pid}) does not answer, because it is stopped; the command may still run, without a \
             time limit until `kill -CONT {pid}`"
        ),
        false => format!("its supervisor (process {pid}) does not answer; the command may still run"),
    }
}

/// A time too far away to be one is no limit.
fn after(duration: Duration) -> Option<Instant> {
    Instant::now().checked_add(duration)
}
