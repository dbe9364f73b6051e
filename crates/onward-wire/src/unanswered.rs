//! How a call ends without a result, and what becomes of one that a crash cut off.

use onward_event::CallId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::convert::Stamp;
use crate::waiting::settle_answers;
use crate::{Cursor, DeniedBy, Reconciled, Settled};

/// The call was refused and will not run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolDenied {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// Who refused.
    pub by: DeniedBy,
    /// What the model sees: why, and the person's words if there are any.
    pub text: String,
}

/// The call has ended without a result, and is known to have stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCancelled {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// Whether it had started; then effects may be partial.
    pub started: bool,
    /// What the model sees.
    pub text: String,
}

/// The call may or may not have had its effect. It never starts again by itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolOutcomeUnknown {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// What the model sees: why it is unknown and what is known.
    pub text: String,
    /// Commands that settle it: it had its effect, it had none, go on all the same.
    pub settle: Vec<String>,
}

/// What was found out about a call that an earlier process had started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolReconciled {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// What was found.
    pub verdict: Reconciled,
    /// By what it was found.
    pub evidence: String,
}

/// Somebody settled a call whose outcome was unknown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolSettled {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// What they say about it.
    pub verdict: Settled,
    /// How they know.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub evidence: String,
}

impl ToolOutcomeUnknown {
    pub(crate) fn new((cursor, at): Stamp, unknown: &onward_event::ToolOutcomeUnknown) -> Self {
        let onward_event::ToolOutcomeUnknown { call, content } = unknown;
        Self { cursor, at, call: *call, text: content.clone(), settle: settle_answers(*call) }
    }
}

impl ToolDenied {
    pub(crate) fn new((cursor, at): Stamp, denied: &onward_event::ToolDenied) -> Self {
        Self { cursor, at, call: denied.call, by: denied.by.into(), text: denied.content.clone() }
    }
}

impl ToolCancelled {
    pub(crate) fn new((cursor, at): Stamp, cancelled: &onward_event::ToolCancelled) -> Self {
        let onward_event::ToolCancelled { call, started, content } = cancelled;
        Self { cursor, at, call: *call, started: *started, text: content.clone() }
    }
}

impl ToolReconciled {
    pub(crate) fn new((cursor, at): Stamp, reconciled: &onward_event::ToolReconciled) -> Self {
        let onward_event::ToolReconciled { call, verdict, evidence } = reconciled;
        Self { cursor, at, call: *call, verdict: (*verdict).into(), evidence: evidence.clone() }
    }
}

impl ToolSettled {
    pub(crate) fn new((cursor, at): Stamp, resolved: &onward_event::ReconciliationResolved) -> Self {
        let onward_event::ReconciliationResolved { call, verdict, evidence } = resolved;
        Self { cursor, at, call: *call, verdict: (*verdict).into(), evidence: evidence.clone() }
    }
}
