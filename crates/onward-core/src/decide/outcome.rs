//! How effects end, in the terms of decisions.

use onward_event::{
    AcceptedPart, Access, ArtifactStored, Basis, Digest, ErrorClass, FileState, FinishReason, InvalidCall,
    JobEnd, Occupies, Part, Place, Rendered, ResultMetadata, ResultStatus, Risk, Sandbox, Semantics, Subject,
    Usage, Verdict,
};
use serde_json::Value;

use crate::prelude::*;

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq)]
pub enum AttemptReport {
    /// Its stream ended as it should.
    Replied(Reply),
    /// It failed.
    Failed {
        /// The kind of failure.
        class: ErrorClass,
        /// Details, for people.
        message: String,
        /// When the provider said to come back, in milliseconds.
        retry_after_millis: Option<u64>,
        /// What it used.
        usage: Usage,
        /// What had arrived.
        partial: String,
    },
    /// It was stopped.
    Aborted {
        /// What it used.
        usage: Usage,
        /// What had arrived.
        partial: String,
    },
    /// Its process died.
    Interrupted {
        /// What it used, as far as is known.
        usage: Usage,
        /// What had arrived.
        partial: String,
    },
}

/// A reply: checked against the tools, not yet accepted.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// How the stream ended.
    pub finish: FinishReason,
    /// Words and thoughts.
    pub content: Vec<AcceptedPart>,
    /// Calls, in their order.
    pub calls: Vec<ProposedCall>,
    /// What it used.
    pub usage: Usage,
}

/// A call of a reply.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposedCall {
    /// The provider's id, or one made for it.
    pub provider_id: String,
    /// The tool.
    pub name: String,
    /// Its version; empty when unknown.
    pub version: String,
    /// Canonical; `None` when the arguments are not JSON, which rejects the whole reply.
    pub input: Option<Value>,
    /// Over tool, version and input.
    pub digest: Digest,
    /// What it touches.
    pub accesses: Vec<Access>,
    /// What it takes up while it runs.
    pub occupies: Occupies,
    /// Why it cannot be run.
    pub invalid: Option<InvalidCall>,
}

/// A call, planned and judged.
#[derive(Clone, Debug, PartialEq)]
pub enum Authorised {
    /// Planning failed: the call is answered with this.
    Fault(Report),
    /// Policy has judged it.
    Judged(Box<Authorisation>),
}

/// What policy said about a call, and what running it would mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Authorisation {
    /// What it was judged on.
    pub basis: Basis,
    /// What policy says.
    pub verdict: Verdict,
    /// Names of the rules that decided.
    pub rules: Vec<String>,
    /// How dangerous it is.
    pub risk: Risk,
    /// Why.
    pub reason: String,
    /// Whether the mode denies, rather than a rule.
    pub by_mode: bool,
    /// What it would touch, resolved.
    pub resources: Vec<String>,
    /// What a person is shown.
    pub preview: String,
    /// The files that it names, as they are.
    pub files: Vec<FileState>,
    /// Over what the rules say that ask; `None` when none does.
    pub rules_digest: Option<Digest>,
    /// Over what the tool takes; `None` when nobody is to be asked.
    pub definition: Option<Digest>,
    /// The rule that "always" would save.
    pub always: Option<String>,
    /// How its command would be contained; `None` when it runs inside the runtime.
    pub sandbox: Option<Sandbox>,
    /// What would run in place of the text that the model wrote.
    pub rendered: Option<Rendered>,
    /// What it can do to the world.
    pub semantics: Semantics,
    /// How it would run under a supervisor, if it would.
    pub supervised: Option<Supervised>,
}

impl Authorisation {
    /// What an approval of the call would be bound to.
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

/// How a call would run under a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervised {
    /// The machine, and this run of it.
    pub place: Place,
    /// Whether it would be answered with a job as soon as it runs.
    pub background: bool,
}

/// The answer of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// How it ended.
    pub status: ResultStatus,
    /// What the model sees.
    pub content: Vec<Part>,
    /// What the runtime sees.
    pub metadata: ResultMetadata,
    /// Whole outputs; their content is stored with the append.
    pub artifacts: Vec<ArtifactStored>,
}

/// How a call that ran came to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum Ran {
    /// With an answer.
    Finished(Report),
    /// Stopped, as a whole.
    Cancelled {
        /// What the model sees.
        content: String,
    },
    /// Nobody knows.
    Unknown {
        /// What the model sees, if it may have had an effect.
        content: String,
    },
    /// It was told to stop, and goes on for all that is known.
    NotStopped {
        /// How long it had for it, in seconds.
        seconds: u64,
    },
    /// It was never begun, because the turn was interrupted first.
    NotBegun,
    /// Its command runs, and goes on as a job.
    InBackground {
        /// The command, shortened: for lists.
        command: String,
    },
}

/// How a job came to its end.
#[derive(Clone, Debug, PartialEq)]
pub enum JobReport {
    /// Its command ended, and nothing of it is left.
    Ended {
        /// How.
        how: JobEnd,
        /// That in a line.
        summary: String,
        /// Its result, and where its output is stored.
        report: Report,
    },
    /// Nobody can know.
    Unknown {
        /// Why, and what is known.
        evidence: String,
    },
}

/// What was found out about a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Reconciled {
    /// It had its effect.
    Applied {
        /// By what it was found.
        evidence: String,
        /// Its answer.
        report: Report,
    },
    /// It had none.
    NotApplied {
        /// By what it was found.
        evidence: String,
    },
    /// It was told to stop, and is known to have stopped as a whole.
    Cancelled {
        /// By what it was found.
        evidence: String,
        /// What the model sees.
        content: String,
    },
    /// It had begun, and goes on as a job, or has ended as one.
    InBackground {
        /// By what it was found.
        evidence: String,
        /// The command, shortened: for lists.
        command: String,
    },
    /// Nobody can know.
    Unknown {
        /// What is known.
        evidence: String,
    },
}
