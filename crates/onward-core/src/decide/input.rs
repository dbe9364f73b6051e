//! What decisions are made on.

use onward_event::{
    AcceptedPart, Access, ArtifactStored, AttemptId, Basis, CallId, ContextDigest, Digest, DocumentLoaded,
    ErrorClass, Event, FileState, FinishReason, InvalidCall, JobId, MessageId, Occupies, Part, Place,
    Rendered, ResultMetadata, ResultStatus, Risk, Sandbox, Semantics, StepId, StopReason, Subject, Timestamp,
    Usage, Verdict,
};
use serde_json::Value;

use crate::prelude::*;
use crate::session::Session;

/// What a decision may know beside the state.
pub struct Ctx<'a> {
    /// Now.
    pub now: Timestamp,
    /// The revision of the rules in force.
    pub policy: u64,
    /// Gives 128 bits that were never given before.
    pub ids: &'a mut dyn FnMut() -> u128,
    /// Takes out of an event what no record may hold. The state is a fold of what is recorded, so an event passes here
    /// before it is applied.
    pub redact: &'a dyn Fn(Event) -> Event,
}

impl Ctx<'_> {
    pub(super) fn id(&mut self) -> u128 {
        (self.ids)()
    }
}

/// An input of the owner. Clients' commands are no inputs: they are events already ([`onward_event::EventWriter`]).
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// Go on by yourself, if you can.
    Advance,
    /// The process is about to end in order: end the turn so that its run goes on with the next owner, if nothing of
    /// it is open in the world.
    Pause,
    /// A request was put together.
    Prepared(Prepared),
    /// A request could not be put together.
    PrepareFailed(PrepareFailure),
    /// An attempt came to its end.
    AttemptEnded {
        /// Which.
        attempt: AttemptId,
        /// How.
        report: AttemptReport,
    },
    /// A call was planned and judged.
    Authorised {
        /// Which.
        call: CallId,
        /// How.
        authorised: Authorised,
    },
    /// A call that this owner started came to its end.
    Ran {
        /// Which.
        call: CallId,
        /// Which start of it.
        run: u32,
        /// How.
        ran: Ran,
    },
    /// It was found out what became of a call.
    Reconciled {
        /// Which.
        call: CallId,
        /// What.
        reconciled: Reconciled,
    },
    /// A job came to its end, or nobody can tell.
    JobEnded {
        /// Which.
        job: JobId,
        /// How.
        report: JobReport,
    },
}

/// What a request was put together from; it counts only while this holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrepareBasis {
    /// Messages of the history.
    pub history: usize,
    /// Messages that the request adds to it.
    pub additions: usize,
    /// The claimed messages among those.
    pub includes: Vec<MessageId>,
}

/// A request, ready to be sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared {
    /// Whose.
    pub step: StepId,
    /// What it was put together from.
    pub basis: PrepareBasis,
    /// Over its bytes.
    pub digest: Digest,
    /// The stored head.
    pub head: Digest,
    /// The encoder's name and version.
    pub encoder: String,
    /// What the model sees, in figures.
    pub context: ContextDigest,
    /// Documents that the model is shown for the first time, or in a new version.
    pub documents: Vec<DocumentLoaded>,
}

/// Why a request could not be put together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrepareFailure {
    /// Whose.
    pub step: StepId,
    /// The reason that the turn ends with.
    pub stop: StopReason,
    /// Details.
    pub detail: String,
}

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
    /// Where it would run under a supervisor, if it would.
    pub supervised: Option<Place>,
    /// Whether it would be answered with a job as soon as it runs; needs a supervisor.
    pub background: bool,
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
    InBackground(Detached),
}

/// A command that goes on without its call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Detached {
    /// The command, shortened: for lists.
    pub command: String,
}

/// How a job's command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// By itself, whatever its exit code.
    Completed,
    /// Its time was over.
    TimedOut,
    /// It could not be executed.
    NotExecuted,
    /// It was told to stop.
    Stopped,
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
        /// What goes on.
        detached: Detached,
    },
    /// Nobody can know.
    Unknown {
        /// What is known.
        evidence: String,
    },
}

/// An input that no longer applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The session has no owner.
    #[error("the session has no owner")]
    NotOwned,
    /// What it is about has ended or never was.
    #[error("{0} is not open for this")]
    NotOpen(&'static str),
    /// What it was based on has changed; it is to be done again.
    #[error("its basis has changed: {0}")]
    Stale(&'static str),
}

impl Session {
    /// What a request would be put together from now.
    pub fn prepare_basis(&self) -> PrepareBasis {
        PrepareBasis {
            history: self.history.len(),
            additions: self.state.tail.notices.len() + self.claimed().count(),
            includes: self.claimed().map(|m| m.message.id).collect(),
        }
    }
}
