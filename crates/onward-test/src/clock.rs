//! A clock for tests: it moves when it is looked at, and never otherwise.

use std::sync::atomic::{AtomicU64, Ordering};

use onward_event::Timestamp;
use onward_port::Clock;

/// Where it starts: 2026-01-01T00:00:00Z.
const START: u64 = 1_767_225_600_000;

/// Every look is a millisecond later than the one before. It is kept over restarts, as the world's clock would be.
#[derive(Debug)]
pub struct SteppingClock(AtomicU64);

impl SteppingClock {
    /// A clock that nobody has looked at.
    pub fn new() -> Self {
        Self(AtomicU64::new(START))
    }
}

impl Default for SteppingClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SteppingClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.fetch_add(1, Ordering::Relaxed))
    }
}
