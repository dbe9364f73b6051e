//! Ids for tests: a counter, so that two runs of the same scenario can be compared.

use std::sync::atomic::{AtomicU64, Ordering};

use onward_port::Ids;

/// Counts from 1. Whoever restarts a process keeps the counter: ids are unique over all lives.
#[derive(Debug, Default)]
pub struct CountingIds(AtomicU64);

impl Ids for CountingIds {
    fn next(&self) -> u128 {
        u128::from(self.0.fetch_add(1, Ordering::Relaxed)) + 1
    }
}
