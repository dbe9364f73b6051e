//! The supervisor: a process without an async runtime that owns one command.

mod contain;
mod output;
mod ready;
mod run;
pub(crate) mod tree;

use std::fs::File;
use std::os::fd::AsFd;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, set_child_subreaper, setsid};

use crate::enrolment::Enrolment;
use crate::folder::{Folder, Gate};
use crate::frame;
use crate::spec::{How, Order, Prepare, Run, Verdict};
use ready::Ready;

/// For how long the result is tried again when there is no room for it.
pub(crate) const ROOM_LIMIT: Duration = Duration::from_secs(600);
/// The pause between two tries.
const PUBLISH_PAUSE: Duration = Duration::from_secs(1);

/// Supervises one execution. All that it needs to know comes from `told`, which is the process's standard input: first
/// how the command will be contained, and then, which may be much later, which command it is and in which folder. Returns
/// when the command has ended as a whole and its result is published, or when a new owner has revoked it; and at once when
/// whoever could tell is gone, without having done anything. The process then ends.
///
/// There is nobody to report an error to: what goes wrong before the gate means that nothing began, which the gate
/// proves; what goes wrong after it leaves no result, which means that the outcome is unknown.
pub fn supervise(told: impl AsFd) {
    // A session of its own: neither the terminal's signals nor its end reach it.
    let _ = setsid();
    let Ok(told) = told.as_fd().try_clone_to_owned() else { return };
    let mut told = File::from(told);
    let Ok(Prepare { jail }) = frame::read(&mut told) else { return };
    // From here on every process that loses its parent becomes a child of this one.
    if set_child_subreaper(Pid::from_raw(1)).is_err() {
        return;
    }
    let Ok(mut ready) = Ready::new(jail) else { return };
    ready.wait_for(told.as_fd());
    let Ok(run) = frame::read::<Run>(&mut told) else { return };
    execute(&run.folder(), &run.order, ready);
    // Its end is how the runtime hears that the folder says all.
    drop(told);
}

/// From the lock on the folder to the result in it.
fn execute(folder: &Folder, order: &Order, ready: Ready) {
    let Ok(lock) = folder.lock() else { return };
    // An owner could not tell whether it still answers.
    if folder.enrol(&Enrolment::of(order)).is_err() {
        return;
    }
    if !matches!(folder.claim(Gate::Started), Ok(Gate::Started)) {
        return;
    }
    let verdict = run::run(folder, order, ready).unwrap_or_else(|error| Verdict {
        how: How::NotStarted(error.to_string()),
        millis: 0,
        total: 0,
        left_behind: false,
        restored: Vec::new(),
    });
    publish(folder, &verdict);
    drop(lock);
}

/// A disk that is full may have room again; a folder that is gone will not come back.
fn publish(folder: &Folder, verdict: &Verdict) {
    let start = Instant::now();
    while folder.publish(verdict).is_err() && folder.exists() && start.elapsed() < ROOM_LIMIT {
        folder.wait_for_room();
        sleep(PUBLISH_PAUSE);
    }
}
