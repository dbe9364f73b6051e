//! Random decisions that a seed repeats.

use std::ops::Range;
use std::time::{SystemTime, UNIX_EPOCH};

/// SplitMix64: a counter whose bits are mixed.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    /// The decisions of this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number of the range; its start when it is empty.
    pub(super) fn within(&mut self, range: Range<u64>) -> u64 {
        let width = range.end.saturating_sub(range.start).max(1);
        range.start + self.next() % width
    }

    /// True once in so many times.
    pub(super) fn one_in(&mut self, times: u64) -> bool {
        self.within(0..times) == 0
    }

    /// One of them; none when there are none.
    pub(super) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.within(0..all.len() as u64) as usize)
    }
}

/// A seed that differs from run to run.
pub(super) fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Random::new(now.as_nanos() as u64 ^ u64::from(std::process::id())).next() % 1_000_000_000
}
