//! Turns and steps: where in its work the agent is.

use onward_event::{
    CallId, MessageId, RecoveryContinuation, RunId, StepId, StepStart, TurnEnd, TurnId, TurnSource, TurnStart,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::convert::Stamp;
use crate::{Cursor, StepTerminal, Stop, Terminal, Usage};

/// A piece of work is taken up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnStarted {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The turn.
    pub turn: TurnId,
    /// The piece of work; the same over all turns that recovery makes of it.
    pub run: RunId,
    /// The messages that it was started by; empty when it continues an interrupted turn.
    pub messages: Vec<MessageId>,
    /// Whether it continues an interrupted turn.
    pub continues: bool,
}

/// The model is asked for its next decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepStarted {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The step.
    pub step: StepId,
    /// Its turn.
    pub turn: TurnId,
    /// Counted from 1 over the whole run.
    pub index: u32,
    /// The messages that its request will contain.
    pub messages: Vec<MessageId>,
}

/// A step is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepEnded {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The step.
    pub step: StepId,
    /// How.
    pub terminal: StepTerminal,
}

/// A turn is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TurnEnded {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The turn.
    pub turn: TurnId,
    /// How.
    pub terminal: Terminal,
    /// Why.
    pub stop: Stop,
    /// Where it stopped and what to do next, for people.
    pub next: String,
    /// What its requests used together.
    pub usage: Usage,
}

/// An interrupted piece of work goes on in a new turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Recovered {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The piece of work that goes on.
    pub run: RunId,
    /// The turn that was interrupted.
    pub turn: TurnId,
    /// Calls whose outcome must be settled first; it goes on at once when empty.
    pub blocked_on: Vec<CallId>,
}

impl TurnStarted {
    pub(crate) fn new((cursor, at): Stamp, start: &TurnStart) -> Self {
        let (messages, continues) = match &start.source {
            TurnSource::Messages(messages) => (messages.clone(), false),
            TurnSource::Continuation(_) => (Vec::new(), true),
        };
        Self { cursor, at, turn: start.turn, run: start.run, messages, continues }
    }
}

impl StepStarted {
    pub(crate) fn new((cursor, at): Stamp, start: &StepStart) -> Self {
        let StepStart { step, turn, index, claims, config: _ } = start;
        Self { cursor, at, step: *step, turn: *turn, index: *index, messages: claims.clone() }
    }
}

impl TurnEnded {
    pub(crate) fn new((cursor, at): Stamp, end: &TurnEnd) -> Self {
        Self {
            cursor,
            at,
            turn: end.turn,
            terminal: end.terminal.into(),
            stop: end.stop.into(),
            next: end.next.clone(),
            usage: end.usage.into(),
        }
    }
}

impl Recovered {
    pub(crate) fn new((cursor, at): Stamp, body: &RecoveryContinuation) -> Self {
        Self { cursor, at, run: body.run, turn: body.turn, blocked_on: body.blocked_on.clone() }
    }
}

impl StepEnded {
    pub(crate) fn new((cursor, at): Stamp, end: &onward_event::StepEnd) -> Self {
        Self { cursor, at, step: end.step, terminal: end.terminal.into() }
    }
}
