//! What a session waits for, and how it is answered.

use onward_event::{ApprovalId, CallId, JobId, SessionId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::WaitKind;

/// Work cannot go on until something outside happens. Derived from what is open, so it has no cursor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Waiting {
    /// The session.
    pub session: SessionId,
    /// For all of these.
    pub on: Vec<Wait>,
}

/// One thing that is waited for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Wait {
    /// What kind of thing.
    pub kind: WaitKind,
    /// The approval, the call, or the job.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What it is about: the exact command or change, or what is known about an unknown outcome.
    pub about: String,
    /// Commands that answer it.
    pub answer: Vec<String>,
}

impl Wait {
    /// For a person's answer whether a call may run.
    pub fn approval(approval: ApprovalId, about: impl Into<String>) -> Self {
        let (kind, id, answer) = (WaitKind::Approval, Some(approval.to_string()), approval_answers(approval));
        Self { kind, id, about: about.into(), answer }
    }

    /// For somebody's word on a call that may or may not have had its effect.
    pub fn reconciliation(call: CallId, about: impl Into<String>) -> Self {
        let (kind, id, answer) = (WaitKind::Reconciliation, Some(call.to_string()), settle_answers(call));
        Self { kind, id, about: about.into(), answer }
    }

    /// For somebody's word on a job that nobody can find out about by machine.
    pub fn job_reconciliation(job: JobId, about: impl Into<String>) -> Self {
        let (kind, id, answer) = (WaitKind::Reconciliation, Some(job.to_string()), settle_answers(job));
        Self { kind, id, about: about.into(), answer }
    }

    /// For the end of a job that goes on.
    pub fn job(job: JobId, about: impl Into<String>) -> Self {
        let answer = vec![format!("onward jobs cancel {job}")];
        Self { kind: WaitKind::Job, id: Some(job.to_string()), about: about.into(), answer }
    }
}

/// The commands that answer a question, the approving one first.
pub(crate) fn approval_answers(approval: ApprovalId) -> Vec<String> {
    vec![format!("onward approve {approval}"), format!("onward reject {approval}")]
}

/// The commands that settle a call, or a job, whose outcome is unknown.
pub(crate) fn settle_answers(of: impl std::fmt::Display) -> Vec<String> {
    ["--applied", "--not-applied", "--go-on"]
        .iter()
        .map(|how| format!("onward reconcile {of} {how}"))
        .collect()
}
