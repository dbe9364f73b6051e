//! The hypothesis: a copy of the session, taken over, and what the decisions make of it.

use onward_event::{
    AppendId, CallId, Epoch, Event, OwnerAcquired, Record, RecoveryContinuation, StepEnd, StepId, Timestamp,
    TurnEnd, TurnId,
};

use crate::prelude::*;
use crate::{Ctx, Draft, Effect, Input, NewTurns, Session};

/// What would happen.
pub(super) struct Foresight {
    /// Right after the takeover.
    pub(super) taken: Session,
    /// What the new owner would record at once, before it does anything in the world.
    pub(super) events: Vec<Event>,
    /// After that.
    pub(super) after: Session,
    /// What it would do then.
    pub(super) due: Vec<Effect>,
}

impl Foresight {
    /// # Errors
    /// Why nobody could take it over, or the work would end with a fault at once.
    pub(super) fn new(session: &Session, now: Timestamp) -> Result<Self, String> {
        let mut taken = session.clone();
        let append = AppendId("foreseen".into());
        taken.apply(&takeover(session, now, append.clone())).map_err(|error| error.to_string())?;
        let mut after = taken.clone();
        // Ids that are never shown: nobody knows those of what does not exist yet.
        let mut last = u128::MAX;
        let mut ids = || {
            last -= 1;
            last
        };
        let mut ctx = Ctx {
            now,
            policy: 0,
            new_turns: NewTurns::Begin,
            ids: &mut ids,
            redact: &core::convert::identity,
        };
        let draft = Draft::new(&mut after, &Input::Advance, &append, &mut ctx);
        let draft = draft.map_err(|error| error.to_string())?;
        let (events, due) = (draft.events().to_vec(), after.due());
        Ok(Self { taken, events, after, due })
    }

    /// The answer that a call gets without the world.
    pub(super) fn answer(&self, id: CallId) -> Option<&Event> {
        self.events.iter().find(|event| match event {
            Event::ToolResult(result) => result.call == id,
            Event::ToolDenied(denied) => denied.call == id,
            Event::ToolCancelled(cancelled) => cancelled.call == id,
            Event::ToolOutcomeUnknown(unknown) => unknown.call == id,
            _ => false,
        })
    }

    /// The end of a step, if it ends at once.
    pub(super) fn step_end(&self, id: StepId) -> Option<&StepEnd> {
        self.events.iter().find_map(|event| match event {
            Event::StepEnd(end) if end.step == id => Some(end),
            _ => None,
        })
    }

    /// The end of a turn, if it ends at once.
    pub(super) fn turn_end(&self, id: TurnId) -> Option<&TurnEnd> {
        self.events.iter().find_map(|event| match event {
            Event::TurnEnd(end) if end.turn == id => Some(end),
            _ => None,
        })
    }

    /// The continuation that is recorded at once.
    pub(super) fn continuation(&self) -> Option<&RecoveryContinuation> {
        self.events.iter().find_map(|event| match event {
            Event::RecoveryContinuation(continuation) => Some(continuation),
            _ => None,
        })
    }
}

fn takeover(session: &Session, at: Timestamp, append: AppendId) -> Record {
    let epoch = Epoch(session.epoch().0.saturating_add(1));
    let event = OwnerAcquired { epoch, owner: String::new() }.into();
    Record { seq: session.head().next(), at, epoch: Some(epoch), by: None, append, event }
}
