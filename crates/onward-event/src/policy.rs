//! Whether a call may run: what policy says, what a person is asked, and what they answer (seed, section 3).

use crate::prelude::*;
use crate::{ApprovalId, CallId, Digest, FileState, Sandbox, Timestamp};

/// What policy says about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It may run.
    Allow,
    /// A person decides.
    Ask,
    /// It may not run.
    Deny,
}

impl Verdict {
    /// The word for it, as rules write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Ask => "ask",
            Self::Deny => "deny",
        }
    }
}

/// How dangerous a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Risk {
    /// It only looks.
    Read,
    /// It changes files of the workspace.
    Write,
    /// It runs a command.
    Shell,
    /// It speaks to other machines.
    Network,
    /// It destroys, or reaches outside the workspace.
    Dangerous,
}

impl Risk {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Shell => "shell",
            Self::Network => "network",
            Self::Dangerous => "dangerous",
        }
    }
}

/// What a decision was made on: it holds only while these are the current ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Basis {
    /// The revision of the rules.
    pub policy: u64,
    /// The revision of the session's settings.
    pub config: u64,
}

/// `policy/decided`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PolicyDecided {
    /// The call.
    pub call: CallId,
    /// What policy says.
    pub verdict: Verdict,
    /// Names of the rules that decided.
    pub rules: Vec<String>,
    /// How dangerous the call is.
    pub risk: Risk,
    /// Why, for people and for the model.
    pub reason: String,
    /// What it would touch, resolved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// The files that it names, as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileState>,
    /// Over what the rules say that ask; absent when none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_digest: Option<Digest>,
    /// Over what the tool takes; absent when nobody was to be asked, and in records of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Digest>,
    /// How it would be contained; absent for a call that runs inside the runtime.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
    /// What the decision was made on.
    pub basis: Basis,
    /// The approval that answers an *ask*.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub approval: Option<ApprovalId>,
}

/// `approval/requested`: a person is asked about exactly this call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalRequested {
    /// The question.
    pub approval: ApprovalId,
    /// The call.
    pub call: CallId,
    /// The tool.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// Over tool, version and canonical input.
    pub digest: Digest,
    /// What the call would touch, resolved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resources: Vec<String>,
    /// The files that it names, as they were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileState>,
    /// The rules that ask.
    pub rules: Vec<String>,
    /// Over what those rules say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules_digest: Option<Digest>,
    /// Over what the tool takes; absent in records of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Digest>,
    /// How it would be contained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
    /// The rule that "always" would save, as it would stand in the person's file; absent when nothing may be saved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub always: Option<String>,
    /// How dangerous the call is.
    pub risk: Risk,
    /// Why it is asked, naming the rules that are not the program's own and where they stand.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// What would happen: the exact command and folder, or the change as a diff.
    pub preview: String,
    /// Why an earlier answer does not count, or an earlier question is asked anew: what differs, in a sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub again: String,
}

/// What an approval is bound to, beside the call's tool, version and input: when any of it has changed, it does not
/// answer.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// What the call would touch, resolved.
    pub resources: &'a [String],
    /// The files that it names, as they are.
    pub files: &'a [FileState],
    /// Over what the rules say that ask.
    pub rules_digest: Option<Digest>,
    /// Over what the tool takes; `None`: it was not recorded by then, and does not count.
    pub definition: Option<Digest>,
    /// How it would be contained.
    pub sandbox: Option<&'a Sandbox>,
}

impl Subject<'_> {
    /// Whether this, of an earlier record, is what a call is about now.
    pub fn is_still(&self, now: &Subject<'_>) -> bool {
        self.resources == now.resources
            && self.files == now.files
            && self.rules_digest == now.rules_digest
            && self.is_same_tool(now)
            && self.sandbox == now.sandbox
    }

    /// Whether the tool takes what it took.
    pub fn is_same_tool(&self, now: &Subject<'_>) -> bool {
        self.definition.is_none() || self.definition == now.definition
    }
}

impl ApprovalRequested {
    /// What the question is about.
    pub fn subject(&self) -> Subject<'_> {
        Subject {
            resources: &self.resources,
            files: &self.files,
            rules_digest: self.rules_digest,
            definition: self.definition,
            sandbox: self.sandbox.as_ref(),
        }
    }
}

/// A person's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalVerdict {
    /// It may run.
    Approve,
    /// It may not run.
    Reject,
}

/// How far an approval reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalScope {
    /// This call.
    Once,
    /// The same tool, version, input, resources, files and containment for the rest of the session.
    Session,
    /// As for the session; and the person's own rules were widened by what [`ApprovalRequested::always`] says.
    Always,
}

/// `approval/resolved`, by a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ApprovalResolved {
    /// Which question.
    pub approval: ApprovalId,
    /// The answer.
    pub verdict: ApprovalVerdict,
    /// How far it reaches.
    pub scope: ApprovalScope,
    /// After this it no longer counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// Words for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}
