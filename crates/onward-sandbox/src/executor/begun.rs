//! Whether a supervisor has gone through its gate.

use std::time::Duration;

use onward_port::Begun;
use tokio::time::Instant;

use super::supervisor::Supervisor;
use super::wait;
use crate::folder::{Folder, Gate};

/// The pause between two looks at the gate, at first; it doubles.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
/// The longest pause between two looks.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Waits until the supervisor that was just started has begun, or is gone without. One that takes longer than `margin`
/// is kept from beginning.
pub(super) async fn by_ours(folder: &Folder, mut supervisor: Supervisor, margin: Duration) -> Begun {
    let (mut pause, started) = (FIRST_PAUSE, Instant::now());
    loop {
        // Asked before the gate: one that is gone has gone through it by now, or never will.
        let gone = supervisor.is_gone();
        if folder.has_started() {
            return Begun::Yes;
        }
        if gone {
            return now(folder, "its supervisor ended before it began");
        }
        if started.elapsed() >= margin {
            return now(folder, "its supervisor did not begin in time, and now never will");
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Closes the gate if nobody went through it, and says who was first; `why` it would not begin.
pub(super) fn now(folder: &Folder, why: &str) -> Begun {
    match wait::revoke(folder) {
        Ok(Gate::Started) => Begun::Yes,
        Ok(Gate::Revoked) => Begun::No(why.into()),
        Err(error) => Begun::Unknown(format!("its folder cannot be read: {error}")),
    }
}
