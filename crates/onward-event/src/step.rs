//! Steps: one logical decision of the model, however many requests it takes (seed, sections 4 and 14).

use crate::prelude::*;
use crate::{MessageId, StepId, TurnId};

/// `step/start`: the step and the messages that it claims, in one append.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepStart {
    /// The step.
    pub step: StepId,
    /// Its turn.
    pub turn: TurnId,
    /// Counted from 1 over the whole run.
    pub index: u32,
    /// The messages that its first request will contain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<MessageId>,
    /// Freezes the model: the settings as of the n-th change, the session's creation being the first.
    pub config: u64,
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StepTerminal {
    /// The model called tools, and each call is answered.
    Tools,
    /// The model answered.
    Answer,
    /// No acceptable output was had.
    Failed,
    /// By an interrupt.
    Cancelled,
    /// By the end of its process.
    Interrupted,
}

/// `step/end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepEnd {
    /// The step.
    pub step: StepId,
    /// How.
    pub terminal: StepTerminal,
}
