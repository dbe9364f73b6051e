//! Numbers that look random and are determined by a seed, so that a failure can be seen again.

/// Where each step of the sequence is from the one before: an odd number without pattern.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The sequence of a seed. A counter goes through a mixer; neither needs to be good enough for anything but tests.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Self(mixed(seed ^ STEP))
    }

    /// A sequence of its own for a part of what this seed decides.
    pub fn of(seed: u64, part: u64) -> Self {
        Self(mixed(mixed(seed ^ STEP).wrapping_add(part)))
    }

    /// Any number.
    pub fn any(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }

    /// A number from 0 to `n` - 1; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.any() % n).unwrap_or(0)
    }

    /// Whether something happens that does so once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of several; `None` when there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

fn mixed(mut n: u64) -> u64 {
    n = (n ^ (n >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    n = (n ^ (n >> 29)).wrapping_mul(0xa3b1_9535_4a39_b70d);
    n ^ (n >> 32)
}
