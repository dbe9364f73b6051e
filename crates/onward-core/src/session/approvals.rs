//! Questions to a person, and the answers that still count (seed, section 3).

use onward_event::{
    ApprovalId, ApprovalRequested, ApprovalResolved, ApprovalScope, ApprovalVerdict, Digest, FileState,
    Sandbox, Subject, Timestamp, ToolCall,
};

use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// A question that nobody has answered yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenApproval {
    /// As it was asked.
    pub request: ApprovalRequested,
}

/// An approval that was given: it answers an *ask* about exactly this tool, version and input, on the same
/// resources, files, rules and containment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grant {
    /// The question that was answered.
    pub approval: ApprovalId,
    /// The tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Over tool, version and canonical input.
    pub digest: Digest,
    /// What the call would touch, resolved.
    pub resources: Vec<String>,
    /// The files that it names, as they were.
    pub files: Vec<FileState>,
    /// Over what the rules say that asked.
    pub rules_digest: Option<Digest>,
    /// Over what the tool takes.
    pub definition: Option<Digest>,
    /// How it would be contained.
    pub sandbox: Option<Sandbox>,
    /// After this it no longer counts.
    pub valid_until: Option<Timestamp>,
}

impl Grant {
    /// Whether it answers the question about this call now.
    pub(crate) fn covers(&self, call: &ToolCall, subject: &Subject<'_>, now: Timestamp) -> bool {
        self.tool == call.name
            && self.version == call.version
            && self.digest == call.digest
            && self.subject().is_still(subject)
            && self.valid_until.is_none_or(|until| now <= until)
    }

    /// What it is bound to.
    pub(crate) fn subject(&self) -> Subject<'_> {
        Subject {
            resources: &self.resources,
            files: &self.files,
            rules_digest: self.rules_digest,
            definition: self.definition,
            sandbox: self.sandbox.as_ref(),
        }
    }
}

/// Open questions, and the grants that hold for the session.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Approvals {
    pub(crate) open: BTreeMap<ApprovalId, OpenApproval>,
    pub(crate) session: Vec<Grant>,
}

impl Approvals {
    /// Answers a question: the grant, or `None` when it was rejected.
    pub(crate) fn resolve(
        &mut self,
        request: &ApprovalRequested,
        answer: &ApprovalResolved,
    ) -> Option<Grant> {
        if answer.verdict == ApprovalVerdict::Reject {
            return None;
        }
        let grant = Grant {
            approval: request.approval,
            tool: request.tool.clone(),
            version: request.version.clone(),
            digest: request.digest,
            resources: request.resources.clone(),
            files: request.files.clone(),
            rules_digest: request.rules_digest,
            definition: request.definition,
            sandbox: request.sandbox.clone(),
            valid_until: answer.valid_until,
        };
        if answer.scope != ApprovalScope::Once {
            self.session.push(grant.clone());
        }
        Some(grant)
    }
}
