//! The model-visible history, in the runtime's own form: adapters turn it into a provider's (seed, section 14).

use crate::prelude::*;
use crate::{AcceptedPart, Part};

/// How a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AnswerStatus {
    /// It ran and did what was asked.
    Ok,
    /// It could not be run, or failed.
    Error,
    /// It took too long.
    Timeout,
    /// It was refused.
    Denied,
    /// It was stopped.
    Cancelled,
    /// It may or may not have happened.
    OutcomeUnknown,
}

/// A call, as the model made it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantCall {
    /// Pairs it with its answer; the provider's own id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The input.
    pub input: Value,
}

/// One message of the history that a model is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Message {
    /// Input from outside.
    User(Vec<Part>),
    /// Words of the runtime.
    Notice(String),
    /// An accepted output.
    Assistant {
        /// Words and thoughts.
        content: Vec<AcceptedPart>,
        /// Calls.
        calls: Vec<AssistantCall>,
    },
    /// The answer to a call.
    Tool {
        /// Pairs it with its call.
        id: String,
        /// The tool.
        name: String,
        /// How it was answered.
        status: AnswerStatus,
        /// The answer.
        content: Vec<Part>,
    },
}
