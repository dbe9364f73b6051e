//! Requests and attempts: what the model was shown, how often it was asked, and what was accepted (seed, sections
//! 12 and 14).

use crate::prelude::*;
use crate::{AttemptId, Digest, MessageId, StepId, Timestamp, Usage};

/// How far a text is trusted: for audit, and to mark what came from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The product's own words.
    System,
    /// The project's instructions.
    Project,
    /// The person's words.
    User,
    /// What tools brought from the world.
    Observation,
}

/// One thing that went into a request for the first time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextItem {
    /// Where it comes from: `instructions`, `tools`, a path, `message`, `assistant`, `tool`, `notice`.
    pub source: String,
    /// How far it is trusted.
    pub trust: Trust,
    /// Estimated.
    pub tokens: u64,
    /// The digest of a document's whole text; what stands in the log itself needs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
}

/// One thing that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DroppedItem {
    /// Where it comes from.
    pub source: String,
    /// Estimated.
    pub tokens: u64,
    /// Why it was left out.
    pub why: String,
}

/// What the model sees, in figures: enough to answer "had it seen the right file?".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextDigest {
    /// Estimated tokens of the whole request.
    pub tokens: u64,
    /// Tokens that the request may have: the window less what is kept for the answer.
    pub limit: u64,
    /// What is new since the manifest's base.
    pub items: Vec<ContextItem>,
    /// What was left out, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dropped: Vec<DroppedItem>,
}

/// How a request is put together, so that its record grows only with what is new.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The stored [`crate::RequestHead`]: instructions, documents and tools.
    pub head: Digest,
    /// Model-visible messages that an earlier request of this session had already.
    pub base: u64,
    /// Messages added after them.
    pub added: u64,
}

/// Which code turned the log into a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Projection {
    /// Version of the projection from log to messages.
    pub assembler: u32,
    /// Name and version of the encoder from messages to bytes, for example `chat/1`.
    pub encoder: String,
}

/// `request/prepared`: an immutable request; its claimed messages are included from here on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestPrepared {
    /// Whose request.
    pub step: StepId,
    /// Counted from 1 within the step.
    pub revision: u32,
    /// Over the request's bytes, chained item by item.
    pub digest: Digest,
    /// Changes only when something already included is replaced.
    pub history_revision: u64,
    /// How it is put together.
    pub manifest: Manifest,
    /// The claimed messages that it contains for the first time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub includes: Vec<MessageId>,
    /// Which code made it.
    pub projection: Projection,
    /// What the model sees, in figures.
    pub context: ContextDigest,
}

/// `attempt/start`: a prepared request is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptStart {
    /// The attempt.
    pub attempt: AttemptId,
    /// Whose.
    pub step: StepId,
    /// Counted from 1 within the step.
    pub number: u32,
    /// The digest of the request that is sent.
    pub request: Digest,
    /// To whom.
    pub provider: String,
    /// For which model.
    pub model: String,
}

/// How the model's stream ended, in one vocabulary for all providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    /// It had said everything.
    Stop,
    /// It wants tools to be called.
    ToolCalls,
    /// It ran into the limit of output.
    Length,
    /// It refused.
    Refusal,
    /// The provider's filter cut it.
    ContentFilter,
}

/// Why an output was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RejectReason {
    /// Cut off at the limit of output.
    Length,
    /// The model refused.
    Refusal,
    /// The provider's filter cut it.
    ContentFilter,
    /// Neither words nor calls.
    Empty,
    /// Arguments that are not JSON, calls without a name, a finish reason that contradicts the content.
    Malformed,
}

/// The kind of a provider's failure, which decides whether trying again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// Too many requests; passes.
    RateLimited,
    /// The provider has no capacity; passes.
    Overloaded,
    /// A fault of the provider; may pass.
    Server,
    /// The connection failed or broke; may pass.
    Network,
    /// Nothing came in time; may pass.
    Timeout,
    /// What came is not what the protocol says; may pass.
    Protocol,
    /// The key is missing or wrong.
    Auth,
    /// The provider refuses the request as such.
    InvalidRequest,
    /// There is no such model.
    NotFound,
    /// The request is larger than the model's window.
    ContextOverflow,
    /// The effect was lost inside the runtime.
    Lost,
}

impl ErrorClass {
    /// Whether the same request may succeed later.
    pub fn may_pass(self) -> bool {
        match self {
            Self::RateLimited
            | Self::Overloaded
            | Self::Server
            | Self::Network
            | Self::Timeout
            | Self::Protocol
            | Self::Lost => true,
            Self::Auth | Self::InvalidRequest | Self::NotFound | Self::ContextOverflow => false,
        }
    }
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptOutcome {
    /// Its output was accepted; an `assistant/accepted` follows in the same append.
    Accepted,
    /// Its output is kept for audit only.
    Rejected {
        /// Why.
        reason: RejectReason,
        /// Details, for people.
        detail: String,
    },
    /// The provider or the connection failed.
    Failed {
        /// The kind of failure.
        class: ErrorClass,
        /// Details, for people.
        message: String,
        /// When the next attempt may start; absent when there will be none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_at: Option<Timestamp>,
    },
    /// Stopped by an interrupt.
    Aborted,
    /// Its process ended.
    Interrupted,
}

/// `attempt/end`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptEnd {
    /// The attempt.
    pub attempt: AttemptId,
    /// How.
    pub outcome: AttemptOutcome,
    /// How the stream ended, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<FinishReason>,
    /// What it used, failed and aborted attempts too.
    pub usage: Usage,
    /// What had arrived, when it was not accepted. Never part of the model's history.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub partial: String,
}

/// One part of an accepted output.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AcceptedPart {
    /// Words.
    Text(String),
    /// Thoughts that the provider wants to see again with the next request.
    Reasoning {
        /// Readable, where the provider gives it.
        text: String,
        /// The provider's own form, replayed unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opaque: Option<String>,
    },
}

/// `assistant/accepted`: the only door by which model output enters history; the calls follow as `tool/call` in the
/// same append.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AssistantAccepted {
    /// The attempt whose output it is.
    pub attempt: AttemptId,
    /// The step.
    pub step: StepId,
    /// Words and thoughts.
    pub content: Vec<AcceptedPart>,
    /// How many calls follow.
    pub calls: u32,
}
