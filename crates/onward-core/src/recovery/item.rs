//! A line of a plan: what it is about, what happens to it, and why.

use onward_event::{ApprovalId, AttemptId, CallId, JobId, MessageId, RunId, Seq, StepId, TurnId};

use crate::prelude::*;

/// One thing that a new owner would attend to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    /// What it is about.
    pub item: Item,
    /// What happens to it.
    pub then: Then,
    /// Why, and what that means; for people.
    pub why: String,
}

/// What a line of a plan is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// The session as a whole.
    Session,
    /// The open turn.
    Turn(TurnId),
    /// Its open step.
    Step(StepId),
    /// The open attempt.
    Attempt(AttemptId),
    /// A call of the open step.
    Call {
        /// Which.
        call: CallId,
        /// The tool.
        tool: String,
    },
    /// A question to a person.
    Approval(ApprovalId),
    /// A message that is neither included nor cancelled.
    Message(MessageId),
    /// A run that goes on in a new turn, with its `recovery/continuation` when that is recorded already.
    Continuation {
        /// The run.
        run: RunId,
        /// Its record.
        seq: Option<Seq>,
    },
    /// A call of an earlier step whose outcome is unknown.
    Unknown {
        /// Which.
        call: CallId,
        /// The tool.
        tool: String,
    },
    /// A job that runs.
    Job(JobId),
    /// What the model must still be told, by the record that caused it.
    Notice(Seq),
    /// A turn that does not exist yet.
    NewTurn,
    /// A step that does not exist yet.
    NewStep,
}

/// What happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Ownership is taken, with the next epoch.
    TakeOver,
    /// The session is not taken over, or the work on it ends with a fault.
    Refuse,
    /// It stays as it is.
    Stand,
    /// It stays open and goes on.
    GoOn,
    /// It ends, as it would have without a new owner.
    End,
    /// It ends interrupted.
    Interrupt,
    /// It ends cancelled.
    Cancel,
    /// It begins.
    Start,
    /// What is left of it is collected, and it ends interrupted.
    Salvage,
    /// A request is put together.
    Prepare,
    /// A prepared request is sent.
    Ask,
    /// Nothing is done until the time of the next attempt.
    Sleep,
    /// It is found again under its supervisor, and its true end is recorded.
    Attach,
    /// Its tool finds out whether it had its effect.
    Reconcile,
    /// Policy judges it again, and it is started again.
    RunAgain,
    /// Policy judges it; then it runs, is asked about, or is denied.
    Authorise,
    /// It is answered without being run: with an error.
    Fail,
    /// It is answered: denied.
    Deny,
    /// Its outcome is unknown, for ever.
    Unknown,
    /// A message: its claim lapses, and it waits for a step again.
    PendAgain,
    /// A message: the continuation of its run takes it over.
    Reclaim,
    /// A message: the next request contains it.
    HandOver,
    /// It waits for what the reason names.
    Wait,
    /// It is recorded.
    Record,
    /// Nothing is left to do without somebody's help.
    Rest,
}

impl Item {
    /// The word for its kind, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Turn(_) | Self::NewTurn => "turn",
            Self::Step(_) | Self::NewStep => "step",
            Self::Attempt(_) => "attempt",
            Self::Call { .. } => "call",
            Self::Approval(_) => "approval",
            Self::Message(_) => "message",
            Self::Continuation { .. } => "continuation",
            Self::Unknown { .. } => "unknown",
            Self::Job(_) => "job",
            Self::Notice(_) => "notice",
        }
    }

    /// Its id; nothing for what does not exist yet, or has none.
    pub fn id(&self) -> Option<String> {
        match self {
            Self::Session | Self::NewTurn | Self::NewStep => None,
            Self::Turn(id) => Some(id.to_string()),
            Self::Step(id) => Some(id.to_string()),
            Self::Attempt(id) => Some(id.to_string()),
            Self::Call { call, .. } | Self::Unknown { call, .. } => Some(call.to_string()),
            Self::Approval(id) => Some(id.to_string()),
            Self::Message(id) => Some(id.to_string()),
            Self::Continuation { run, .. } => Some(run.to_string()),
            Self::Job(id) => Some(id.to_string()),
            Self::Notice(seq) => Some(seq.to_string()),
        }
    }
}

impl Then {
    /// The word for it, for programs.
    pub fn name(self) -> &'static str {
        match self {
            Self::TakeOver => "take_over",
            Self::Refuse => "refuse",
            Self::Stand => "stand",
            Self::GoOn => "go_on",
            Self::End => "end",
            Self::Interrupt => "interrupt",
            Self::Cancel => "cancel",
            Self::Start => "start",
            Self::Salvage => "salvage",
            Self::Prepare => "prepare",
            Self::Ask => "ask",
            Self::Sleep => "sleep",
            Self::Attach => "attach",
            Self::Reconcile => "reconcile",
            Self::RunAgain => "run_again",
            Self::Authorise => "authorise",
            Self::Fail => "fail",
            Self::Deny => "deny",
            Self::Unknown => "unknown",
            Self::PendAgain => "pend_again",
            Self::Reclaim => "reclaim",
            Self::HandOver => "hand_over",
            Self::Wait => "wait",
            Self::Record => "record",
            Self::Rest => "rest",
        }
    }
}
