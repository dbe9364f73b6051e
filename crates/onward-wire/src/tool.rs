//! Tool calls: proposed, started, answered with a result.

use onward_event::{ArtifactId, CallId, StepId, text_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::convert::Stamp;
use crate::{Cursor, ResultStatus, Sandbox};

/// Why a call cannot be run at all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Invalid {
    /// `unknown_tool` or `invalid_arguments`.
    pub code: String,
    /// What is wrong and what would be right, one sentence each.
    pub reasons: Vec<String>,
}

/// The model proposes a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// Its step.
    pub step: StepId,
    /// Its place in the output, from 0.
    pub ordinal: u32,
    /// The tool.
    pub name: String,
    /// The input in canonical form; as the model wrote it when invalid.
    pub input: Value,
    /// Present when it cannot be run; this is then its answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invalid: Option<Invalid>,
}

/// The call is allowed and starts: from here on it may have had its effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolStarted {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// Counted from 1.
    pub run: u32,
    /// How its command is contained; absent for a call that runs inside the runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
}

/// What went wrong in a call that ran.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CallError {
    /// For programs.
    pub code: String,
    /// For people and the model.
    pub message: String,
}

/// The call ran and is answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// How it ended.
    pub status: ResultStatus,
    /// Present when it ended with an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<CallError>,
    /// What the model sees.
    pub text: String,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// Size of the whole output in bytes.
    pub bytes: u64,
    /// Whether `text` is less than the whole output.
    pub truncated: bool,
    /// Whole outputs that were stored.
    pub artifacts: Vec<ArtifactId>,
}

/// A whole output was stored; the `tool.result` of the call names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactStored {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The artifact.
    pub artifact: ArtifactId,
    /// The call that made it.
    pub call: CallId,
    /// For example `text/plain`.
    pub media_type: String,
    /// In bytes.
    pub size: u64,
    /// What it is.
    pub summary: String,
}

impl ToolCall {
    pub(crate) fn new((cursor, at): Stamp, call: &onward_event::ToolCall) -> Self {
        Self {
            cursor,
            at,
            call: call.call,
            step: call.step,
            ordinal: call.ordinal,
            name: call.name.clone(),
            input: call.input.clone(),
            invalid: call
                .invalid
                .as_ref()
                .map(|invalid| Invalid { code: invalid.code.clone(), reasons: invalid.reasons.clone() }),
        }
    }
}

impl ToolResult {
    pub(crate) fn new((cursor, at): Stamp, result: &onward_event::ToolResult) -> Self {
        let (status, error) = split(&result.status);
        Self {
            cursor,
            at,
            call: result.call,
            status,
            error,
            text: text_of(&result.content),
            millis: result.metadata.millis,
            bytes: result.metadata.bytes,
            truncated: result.metadata.truncated,
            artifacts: result.artifacts.clone(),
        }
    }
}

impl ArtifactStored {
    pub(crate) fn new((cursor, at): Stamp, stored: &onward_event::ArtifactStored) -> Self {
        let onward_event::ArtifactStored { artifact, call, hash: _, media_type, size, summary } = stored;
        let (media_type, summary) = (media_type.clone(), summary.clone());
        Self { cursor, at, artifact: *artifact, call: *call, media_type, size: *size, summary }
    }
}

impl ToolStarted {
    pub(crate) fn new((cursor, at): Stamp, start: &onward_event::ToolStart) -> Self {
        let sandbox = start.sandbox.as_ref().map(Sandbox::new);
        Self { cursor, at, call: start.call, run: start.run, sandbox }
    }
}

/// The log's status carries its error; a client finds the word and the details apart.
pub(crate) fn split(status: &onward_event::ResultStatus) -> (ResultStatus, Option<CallError>) {
    match status {
        onward_event::ResultStatus::Ok => (ResultStatus::Ok, None),
        onward_event::ResultStatus::Error { code, message } => {
            (ResultStatus::Error, Some(CallError { code: code.clone(), message: message.clone() }))
        }
        onward_event::ResultStatus::Timeout => (ResultStatus::Timeout, None),
    }
}
