//! Figures over many measurements.

use std::time::Duration;

/// Measurements of the same thing, in milliseconds or any other unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sample(Vec<f64>);

impl Sample {
    /// Of these values, in any order.
    pub(crate) fn new(values: impl IntoIterator<Item = f64>) -> Self {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        Self(values)
    }

    /// Of times, in milliseconds.
    pub(crate) fn millis(times: impl IntoIterator<Item = Duration>) -> Self {
        Self::new(times.into_iter().map(|time| time.as_secs_f64() * 1000.0))
    }

    /// The middle value; not a number when there are none.
    pub(crate) fn median(&self) -> f64 {
        self.rank(0.5)
    }

    /// The value that 95 in 100 do not exceed; not a number when there are none.
    pub(crate) fn p95(&self) -> f64 {
        self.rank(0.95)
    }

    /// How many.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    fn rank(&self, share: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        // The share is within 0 and 1, so the product is a place in the list.
        let place = (share * last as f64).round() as usize;
        self.0.get(place).copied().unwrap_or(f64::NAN)
    }
}
