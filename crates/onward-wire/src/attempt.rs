//! Requests to the model: what arrives while it speaks, and what became of it.

use onward_event::{
    AcceptedPart, AssistantAccepted, AttemptEnd, AttemptId, AttemptOutcome, AttemptStart, StepId,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::convert::Stamp;
use crate::{Cursor, FailureClass, Finish, Rejection, StopCause, Usage, WireEvent};

/// A request is sent to the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptStarted {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The attempt.
    pub attempt: AttemptId,
    /// Its step.
    pub step: StepId,
    /// Counted from 1 within the step.
    pub number: u32,
    /// To whom.
    pub provider: String,
    /// For which model.
    pub model: String,
}

/// A piece of what the model says, as it arrives. Live only: nothing is decided on it, it has no cursor, and it is void
/// when its attempt does not end accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Delta {
    /// The attempt.
    pub attempt: AttemptId,
    /// Counted from 0 within the attempt, over deltas of every type.
    pub n: u64,
    /// What arrived.
    pub text: String,
}

/// The attempt's output was accepted; an `assistant` with the whole of it follows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptAccepted {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The attempt.
    pub attempt: AttemptId,
    /// How the output ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<Finish>,
    /// What it used.
    pub usage: Usage,
}

/// The attempt's output was not accepted: its deltas are void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptRejected {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The attempt.
    pub attempt: AttemptId,
    /// Why.
    pub reason: Rejection,
    /// Details, for people.
    pub detail: String,
    /// What it used all the same.
    pub usage: Usage,
}

/// The provider or the connection failed: the attempt's deltas are void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptFailed {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The attempt.
    pub attempt: AttemptId,
    /// The kind of failure.
    pub class: FailureClass,
    /// Details, for people.
    pub message: String,
    /// When the next attempt may start, in milliseconds since 1970-01-01T00:00:00Z; absent when there will be none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_at: Option<u64>,
    /// What it used all the same.
    pub usage: Usage,
}

/// The attempt was stopped before it ended by itself: its deltas are void.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AttemptStopped {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The attempt.
    pub attempt: AttemptId,
    /// By what.
    pub cause: StopCause,
    /// What had arrived; never part of the history.
    pub partial: String,
    /// What it used all the same.
    pub usage: Usage,
}

/// An accepted output: from here on part of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Assistant {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The step.
    pub step: StepId,
    /// The attempt whose output it is.
    pub attempt: AttemptId,
    /// Its words, whole.
    pub text: String,
    /// Its thoughts, as far as the provider shows them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub reasoning: String,
    /// How many `tool.call` events follow.
    pub calls: u32,
}

impl AttemptStarted {
    pub(crate) fn new((cursor, at): Stamp, start: &AttemptStart) -> Self {
        let AttemptStart { attempt, step, number, request: _, provider, model } = start;
        let (provider, model) = (provider.clone(), model.clone());
        Self { cursor, at, attempt: *attempt, step: *step, number: *number, provider, model }
    }
}

impl Assistant {
    pub(crate) fn new((cursor, at): Stamp, accepted: &AssistantAccepted) -> Self {
        let (mut text, mut reasoning) = (String::new(), String::new());
        for part in &accepted.content {
            match part {
                AcceptedPart::Text(words) => text.push_str(words),
                AcceptedPart::Reasoning { text: thoughts, opaque: _ } => reasoning.push_str(thoughts),
            }
        }
        let AssistantAccepted { attempt, step, content: _, calls } = accepted;
        Self { cursor, at, step: *step, attempt: *attempt, text, reasoning, calls: *calls }
    }
}

/// An attempt's end: one type of event for each way to end.
pub(crate) fn ended((cursor, at): Stamp, end: &AttemptEnd) -> WireEvent {
    let AttemptEnd { attempt, outcome, finish, usage, partial } = end;
    let (attempt, usage) = (*attempt, Usage::from(*usage));
    let stopped = |cause| {
        WireEvent::AttemptStopped(AttemptStopped {
            cursor,
            at,
            attempt,
            cause,
            partial: partial.clone(),
            usage,
        })
    };
    match outcome {
        AttemptOutcome::Accepted => {
            let finish = finish.map(Into::into);
            WireEvent::AttemptAccepted(AttemptAccepted { cursor, at, attempt, finish, usage })
        }
        AttemptOutcome::Rejected { reason, detail } => {
            let (reason, detail) = ((*reason).into(), detail.clone());
            WireEvent::AttemptRejected(AttemptRejected { cursor, at, attempt, reason, detail, usage })
        }
        AttemptOutcome::Failed { class, message, retry_at } => {
            let (class, message, retry_at) = ((*class).into(), message.clone(), retry_at.map(|at| at.0));
            WireEvent::AttemptFailed(AttemptFailed { cursor, at, attempt, class, message, retry_at, usage })
        }
        AttemptOutcome::Aborted => stopped(StopCause::Aborted),
        AttemptOutcome::Interrupted => stopped(StopCause::Interrupted),
    }
}
