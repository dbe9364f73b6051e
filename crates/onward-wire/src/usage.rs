//! What model requests used.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Tokens and money of one attempt, or the sum over several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens of the requests.
    pub input: u64,
    /// Of those, tokens that the provider read from its cache.
    pub cached: u64,
    /// Tokens of the answers, reasoning included.
    pub output: u64,
    /// Millionths of the currency that the model's price is in; zero without a price.
    pub cost_micros: u64,
    /// Whether any part of the numbers was counted here rather than reported by the provider.
    pub estimated: bool,
}

impl From<onward_event::Usage> for Usage {
    fn from(usage: onward_event::Usage) -> Self {
        let onward_event::Usage { input, cached, output, cost_micros, source } = usage;
        let estimated = match source {
            onward_event::UsageSource::Reported => false,
            onward_event::UsageSource::Estimated => true,
        };
        Self { input, cached, output, cost_micros, estimated }
    }
}
