//! Tool calls: proposed, started, answered; and what becomes of those that a crash cut off (seed,
//! sections 2, 3 and 16).

mod access;
mod execution;
mod semantics;

pub use access::{Access, AccessKind, Occupies};
pub use execution::{Handle, Place};
pub use semantics::{OnUnknown, Recovery, Retry, Semantics};

use crate::prelude::*;
use crate::{ArtifactId, CallId, Digest, Part, Rendered, Sandbox, StepId};

/// Why a call cannot be run at all; the model sees it as the call's answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InvalidCall {
    /// `unknown_tool` or `invalid_arguments`.
    pub code: String,
    /// What is wrong and what would be right, one sentence each.
    pub reasons: Vec<String>,
}

/// `tool/call`: a call that an accepted output proposes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// The call.
    pub call: CallId,
    /// Its step.
    pub step: StepId,
    /// Its place in the output, from 0.
    pub ordinal: u32,
    /// The provider's own id for it.
    pub provider_id: String,
    /// The tool's name.
    pub name: String,
    /// The tool's version; empty for a tool that is unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The input in canonical form; as the model wrote it when invalid.
    pub input: Value,
    /// Over tool, version and canonical input.
    pub digest: Digest,
    /// What it touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accesses: Vec<Access>,
    /// What it takes up while it runs.
    #[serde(default, skip_serializing_if = "Occupies::is_slot")]
    pub occupies: Occupies,
    /// Present when it cannot be run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<InvalidCall>,
}

/// `tool/start`: from here on the call may have had its effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolStart {
    /// The call.
    pub call: CallId,
    /// Counted from 1.
    pub run: u32,
    /// What it can do to the world.
    pub semantics: Semantics,
    /// By what it is found again.
    pub handle: Handle,
    /// How it is contained; absent for a call that runs inside the runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
    /// What runs in place of the text that the model wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rendered: Option<Rendered>,
}

impl ToolStart {
    /// Whether it runs under a supervisor.
    pub fn is_supervised(&self) -> bool {
        matches!(self.handle, Handle::Supervised { .. })
    }

    /// Whether it is answered with a job as soon as it runs.
    pub fn is_background(&self) -> bool {
        matches!(self.handle, Handle::Supervised { background: true, .. })
    }
}

/// How a call that ran ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResultStatus {
    /// As asked.
    Ok,
    /// With an error that the model can act on.
    Error {
        /// For programs.
        code: String,
        /// For people and the model.
        message: String,
    },
    /// It took too long and was ended as a whole; effects may be partial.
    Timeout,
}

/// What the runtime needs to know about a result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ResultMetadata {
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// Size of the whole output in bytes, before it was cut.
    pub bytes: u64,
    /// Whether the model sees less than the whole.
    #[serde(default, skip_serializing_if = "crate::prelude::is_false")]
    pub truncated: bool,
    /// Whether the same call may succeed later.
    #[serde(default, skip_serializing_if = "crate::prelude::is_false")]
    pub retryable: bool,
}

/// `tool/result`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// The call.
    pub call: CallId,
    /// How it ended.
    pub status: ResultStatus,
    /// What the model sees.
    pub content: Vec<Part>,
    /// What the runtime sees.
    pub metadata: ResultMetadata,
    /// Whole outputs that were stored.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub artifacts: Vec<ArtifactId>,
}

/// Who refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeniedBy {
    /// A rule.
    Policy,
    /// The person.
    User,
    /// The mode.
    Mode,
}

/// `tool/denied`: the call will not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolDenied {
    /// The call.
    pub call: CallId,
    /// Who refused.
    pub by: DeniedBy,
    /// What the model sees: why, and the person's words if there are any.
    pub content: String,
}

/// `tool/cancelled`: the call has ended without a result, and its executor is known to have stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCancelled {
    /// The call.
    pub call: CallId,
    /// Whether it had started; then effects may be partial.
    pub started: bool,
    /// What the model sees.
    pub content: String,
}

/// `tool/outcome_unknown`: the call may or may not have had its effect. It never starts again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolOutcomeUnknown {
    /// The call.
    pub call: CallId,
    /// What the model sees: why it is unknown and what is known.
    pub content: String,
}

/// What was found out about a call that a crash cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReconcileVerdict {
    /// It had its effect; its `tool/result` follows in the same append.
    Applied,
    /// It had none; it goes back to authorisation.
    NotApplied,
    /// It cannot be known; its `tool/outcome_unknown` follows in the same append.
    Unknown,
}

/// `tool/reconciled`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolReconciled {
    /// The call.
    pub call: CallId,
    /// What was found.
    pub verdict: ReconcileVerdict,
    /// By what it was found.
    pub evidence: String,
}

/// How somebody settles an unknown call from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ResolvedVerdict {
    /// It had its effect.
    Applied,
    /// It had none.
    NotApplied,
    /// It stays unknown, and the run goes on all the same.
    GoOn,
}

/// `reconciliation/resolved`, by a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ReconciliationResolved {
    /// The call.
    pub call: CallId,
    /// What is said about it.
    pub verdict: ResolvedVerdict,
    /// How they know.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}
