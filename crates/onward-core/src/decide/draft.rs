//! One append in the making.

use onward_event::{AppendId, Event, EventWriter, Record, Timestamp};

use super::{Ctx, Input, Refusal, decide};
use crate::IllegalEvent;
use crate::prelude::*;
use crate::session::{Mark, Session};

/// Decides, applies, and goes on as long as something follows by itself, so that everything that belongs together is
/// one append. The session is ahead of the log until the append is committed; [`Draft::undo`] takes it back.
#[must_use = "a draft is either committed and kept, or undone"]
pub struct Draft {
    mark: Mark,
    at: Timestamp,
    events: Vec<Event>,
}

impl Draft {
    /// Decides on an input and on all that follows from it.
    ///
    /// # Errors
    /// The refusal of the input itself; the session is then unchanged.
    pub fn new(
        session: &mut Session,
        input: &Input,
        append: &AppendId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Self, DraftError> {
        let mut draft = Self { mark: session.mark(), at: ctx.now, events: Vec::new() };
        match draft.then(session, input, append, ctx) {
            Ok(()) => Ok(draft),
            Err(DraftError::Refused(refusal)) => Err(DraftError::Refused(refusal)),
            Err(DraftError::Illegal(error)) => {
                draft.undo(session);
                Err(DraftError::Illegal(error))
            }
        }
    }

    /// Decides on one more input and on all that follows from it, as a part of the same append: nothing that was decided
    /// before has happened in the world. [`Ctx::now`] must be the time of the draft ([`Draft::at`]).
    ///
    /// # Errors
    /// The refusal of the input; session and draft are then as before. After [`DraftError::Illegal`] the draft is to be
    /// undone.
    pub fn then(
        &mut self,
        session: &mut Session,
        input: &Input,
        append: &AppendId,
        ctx: &mut Ctx<'_>,
    ) -> Result<(), DraftError> {
        let mut events = decide(session, input, ctx).map_err(DraftError::Refused)?;
        // Each advance strictly moves the session on: the bound only guards against a fault in that argument.
        for _ in 0..MAX_CHAIN {
            if events.is_empty() {
                break;
            }
            self.apply(session, events, append, ctx).map_err(DraftError::Illegal)?;
            // An advance is refused only without an owner, and then nothing follows.
            events = decide(session, &Input::Advance, ctx).unwrap_or_default();
        }
        Ok(())
    }

    /// Decides on an input and on nothing else, for a process that is about to end.
    ///
    /// # Errors
    /// As [`Draft::new`].
    pub fn only(
        session: &mut Session,
        input: &Input,
        append: &AppendId,
        ctx: &mut Ctx<'_>,
    ) -> Result<Self, DraftError> {
        let mut draft = Self { mark: session.mark(), at: ctx.now, events: Vec::new() };
        let events = decide(session, input, ctx).map_err(DraftError::Refused)?;
        if let Err(error) = draft.apply(session, events, append, ctx) {
            draft.undo(session);
            return Err(DraftError::Illegal(error));
        }
        Ok(draft)
    }

    /// What is to be appended; empty when nothing follows from the input.
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// The time that the records must carry: the state was computed with it.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// Puts the session back to where it was.
    pub fn undo(self, session: &mut Session) {
        session.rollback(self.mark);
    }

    fn apply(
        &mut self,
        session: &mut Session,
        events: Vec<Event>,
        append: &AppendId,
        ctx: &Ctx<'_>,
    ) -> Result<(), IllegalEvent> {
        for event in events.into_iter().map(ctx.redact) {
            let epoch = (event.writer() != EventWriter::Client).then_some(session.epoch());
            let (seq, at, append) = (session.head().next(), ctx.now, append.clone());
            let record = Record { seq, at, epoch, by: None, append, event };
            session.apply(&record)?;
            self.events.push(record.event);
        }
        Ok(())
    }
}

/// Transitions that one input may bring about.
const MAX_CHAIN: usize = 64;

/// Why there is no draft.
#[derive(Debug, thiserror::Error)]
pub enum DraftError {
    /// The input no longer applies.
    #[error(transparent)]
    Refused(Refusal),
    /// A decision that its own fold refuses: a fault in this crate, never in the log.
    #[error("a decision does not fit its own log: {0}")]
    Illegal(IllegalEvent),
}
