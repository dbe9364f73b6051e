//! Who supervises an execution, and until when: what a supervisor leaves in its folder before it goes through the gate,
//! so that an owner can tell one that works from one that does not answer any more.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::spec::Order;

/// A supervisor, in its own words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Enrolment {
    /// Its process id.
    pub(crate) pid: u32,
    /// When the command's time limit and the time to end it are over, in milliseconds of the machine's monotonic clock.
    /// All processes of one run of a machine read the same clock, and it stands still while the machine sleeps, as the
    /// supervisor's own limit does.
    pub(crate) due_millis: u64,
    /// How long the processes of the command have to end when they are asked to.
    pub(crate) grace_millis: u64,
}

impl Enrolment {
    /// Of this process, with this order.
    pub(crate) fn of(order: &Order) -> Self {
        let limit = order.timeout_millis.saturating_add(order.grace_millis);
        Self {
            pid: std::process::id(),
            due_millis: monotonic_millis().saturating_add(limit),
            grace_millis: order.grace_millis,
        }
    }

    /// How much time is left until it is due.
    pub(crate) fn left(&self) -> Duration {
        Duration::from_millis(self.due_millis.saturating_sub(monotonic_millis()))
    }

    pub(crate) fn grace(&self) -> Duration {
        Duration::from_millis(self.grace_millis)
    }

    /// Whether the process was stopped by a signal, and has not been told to go on.
    pub(crate) fn is_stopped(&self) -> bool {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.pid)).unwrap_or_default();
        // `pid (name) state …`, where the name may hold anything, brackets too.
        let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
        matches!(state, Some('T' | 't'))
    }
}

fn monotonic_millis() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let (seconds, nanos) = (u64::try_from(now.tv_sec), u64::try_from(now.tv_nsec));
    seconds.unwrap_or_default().saturating_mul(1_000).saturating_add(nanos.unwrap_or_default() / 1_000_000)
}
