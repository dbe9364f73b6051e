//! What a model request used.

use crate::prelude::*;

/// Where the numbers come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UsageSource {
    /// Counted here, because the provider reported nothing or the attempt did not end.
    #[default]
    Estimated,
    /// Said by the provider.
    Reported,
}

/// Tokens and money of one attempt, or the sum over several.
///
/// A sum is `reported` only when every part of it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens of the request.
    pub input: u64,
    /// Of those, tokens that the provider read from its cache.
    #[serde(default, skip_serializing_if = "crate::prelude::is_zero")]
    pub cached: u64,
    /// Tokens of the answer, reasoning included.
    pub output: u64,
    /// Millionths of the currency that the price is in; zero without a price.
    #[serde(default, skip_serializing_if = "crate::prelude::is_zero")]
    pub cost_micros: u64,
    /// Where the numbers come from.
    pub source: UsageSource,
}

impl Usage {
    /// No use at all; the neutral element of [`Usage::plus`].
    pub const NONE: Self =
        Self { input: 0, cached: 0, output: 0, cost_micros: 0, source: UsageSource::Reported };

    /// The sum of both; saturates.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let source = match (self.source, other.source) {
            (UsageSource::Reported, UsageSource::Reported) => UsageSource::Reported,
            _ => UsageSource::Estimated,
        };
        Self {
            input: self.input.saturating_add(other.input),
            cached: self.cached.saturating_add(other.cached),
            output: self.output.saturating_add(other.output),
            cost_micros: self.cost_micros.saturating_add(other.cost_micros),
            source,
        }
    }

    /// Tokens in and out together.
    pub fn tokens(&self) -> u64 {
        self.input.saturating_add(self.output)
    }
}
