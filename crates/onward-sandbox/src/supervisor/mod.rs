//! The supervisor: a process without an async runtime that owns one command.

mod contain;
mod output;
mod run;
pub(crate) mod tree;

use std::io::Read;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, set_child_subreaper, setsid};

use crate::enrolment::Enrolment;
use crate::folder::{Folder, Gate};
use crate::spec::{How, Order, Verdict};

/// For how long the result is tried again when there is no room for it.
pub(crate) const ROOM_LIMIT: Duration = Duration::from_secs(600);
/// The pause between two tries.
const PUBLISH_PAUSE: Duration = Duration::from_secs(1);

/// Supervises the execution whose folder this is; the order comes from `order`, which is the process's standard input.
/// Returns when the command
/// has ended as a whole and its result is published, or when a new owner has revoked it. The process then ends.
///
/// There is nobody to report an error to: what goes wrong before the gate means that nothing began, which the gate
/// proves; what goes wrong after it leaves no result, which means that the outcome is unknown.
pub fn supervise(folder: &Path, mut order: impl Read) {
    let folder = Folder::at(folder);
    // A session of its own: neither the terminal's signals nor its end reach it.
    let _ = setsid();
    let Ok(lock) = folder.lock() else { return };
    let mut text = Vec::new();
    // A runtime that died while it wrote has left half an order, which is none.
    if order.read_to_end(&mut text).is_err() {
        return;
    }
    let Ok(order) = serde_json::from_slice::<Order>(&text) else { return };
    // From here on every process that loses its parent becomes a child of this one.
    if set_child_subreaper(Pid::from_raw(1)).is_err() {
        return;
    }
    // An owner could not tell whether it still answers.
    if folder.enrol(&Enrolment::of(&order)).is_err() {
        return;
    }
    if !matches!(folder.claim(Gate::Started), Ok(Gate::Started)) {
        return;
    }
    let verdict = run::run(&folder, &order).unwrap_or_else(|error| Verdict {
        how: How::NotStarted(error.to_string()),
        millis: 0,
        total: 0,
        left_behind: false,
        restored: Vec::new(),
    });
    publish(&folder, &verdict);
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
