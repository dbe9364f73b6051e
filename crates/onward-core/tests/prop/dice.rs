//! Choices out of one random number.

/// Spends a random number bit by bit; when it is used up, it is stretched.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(roll: u64) -> Self {
        Self(roll)
    }

    /// Between 0 and `sides - 1`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        let face = self.0 % sides;
        // Any bijection does that leaves no pattern between neighbouring choices.
        self.0 = (self.0 / sides).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (self.0 >> 31);
        face
    }

    /// Once in so many times.
    pub(crate) fn once_in(&mut self, sides: u64) -> bool {
        self.roll(sides) == 0
    }

    /// One of these, if there is any.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        match items.len() as u64 {
            0 => None,
            len => items.get(self.roll(len) as usize),
        }
    }
}
