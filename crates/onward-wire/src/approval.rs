//! Whether a call may run: what the rules say, and what a person says.

use onward_event::{ApprovalId, CallId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::convert::Stamp;
use crate::waiting::approval_answers;
use crate::{ApprovalScope, ApprovalVerdict, Cursor, Risk, Sandbox, Verdict};

/// The rules judged a call. When they say *ask*, an `approval.requested` follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyDecided {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
    /// What they say.
    pub verdict: Verdict,
    /// The rules that decided.
    pub rules: Vec<String>,
    /// How dangerous the call is.
    pub risk: Risk,
    /// Why, in a sentence.
    pub reason: String,
    /// What the call would touch, resolved.
    pub resources: Vec<String>,
}

/// A person is asked about exactly this call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalRequested {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The question.
    pub approval: ApprovalId,
    /// The call.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// How dangerous the call is.
    pub risk: Risk,
    /// What would happen: the exact command and folder, or the change as a diff.
    pub preview: String,
    /// What the call would touch, resolved.
    pub resources: Vec<String>,
    /// The files that it names: an approval holds while they stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// How its command would be contained; absent for a call that runs inside the runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
    /// The rule that approving it always would save; absent when it cannot be approved always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<String>,
    /// The rules that ask; the `policy.decided` of this call says why.
    pub rules: Vec<String>,
    /// Why an earlier answer does not count, or an earlier question is asked anew: what differs, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub again: String,
    /// Commands that answer it, the approving one first.
    pub answer: Vec<String>,
}

/// A person answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalResolved {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The question.
    pub approval: ApprovalId,
    /// The answer.
    pub verdict: ApprovalVerdict,
    /// How far it reaches.
    pub scope: ApprovalScope,
    /// After this it no longer counts, in milliseconds since 1970-01-01T00:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<u64>,
    /// Words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

impl PolicyDecided {
    pub(crate) fn new((cursor, at): Stamp, decided: &onward_event::PolicyDecided) -> Self {
        Self {
            cursor,
            at,
            call: decided.call,
            verdict: decided.verdict.into(),
            rules: decided.rules.clone(),
            risk: decided.risk.into(),
            reason: decided.reason.clone(),
            resources: decided.resources.clone(),
        }
    }
}

impl ApprovalRequested {
    pub(crate) fn new((cursor, at): Stamp, asked: &onward_event::ApprovalRequested) -> Self {
        Self {
            cursor,
            at,
            approval: asked.approval,
            call: asked.call,
            tool: asked.tool.clone(),
            risk: asked.risk.into(),
            preview: asked.preview.clone(),
            resources: asked.resources.clone(),
            files: asked.files.iter().map(|file| file.path.clone()).collect(),
            sandbox: asked.sandbox.as_ref().map(Sandbox::new),
            always: asked.always.clone(),
            rules: asked.rules.clone(),
            again: asked.again.clone(),
            answer: approval_answers(asked.approval),
        }
    }
}

impl ApprovalResolved {
    pub(crate) fn new((cursor, at): Stamp, resolved: &onward_event::ApprovalResolved) -> Self {
        Self {
            cursor,
            at,
            approval: resolved.approval,
            verdict: resolved.verdict.into(),
            scope: resolved.scope.into(),
            valid_until: resolved.valid_until.map(|until| until.0),
            feedback: resolved.feedback.clone(),
        }
    }
}
