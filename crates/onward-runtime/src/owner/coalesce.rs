//! Coalescing appends: what is put together and judged in memory is decided on in the same append as what called for it.
//!
//! Preparing a request and authorising a call act on nothing. When they come to their end at the first poll, as they do
//! unless a file has to be read for them, nothing is gained by committing in between: the append would only be followed by
//! another. So a steady step with one call is two appends, and both of them are synced:
//!
//! ```text
//! tool/result, step/end, step/start + request/prepared, attempt/start
//! attempt/end, assistant/accepted, tool/call + policy/decided, tool/start
//! ```
//!
//! What does not end at once goes on in flight, and what was decided before it is committed meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use onward_core::{Action, Draft, DraftError, Effect};
use onward_event::AppendId;
use onward_port::Blob;

use super::flight::Landed;
use super::{Owner, OwnerError};
use crate::effects::{Outcome, Task};

/// What is to be one append.
pub(super) struct Drafted {
    pub(super) draft: Draft,
    /// Content that its events name.
    pub(super) blobs: Vec<Blob>,
    /// Whether an effect that it called for was performed for it.
    pub(super) coalesced: bool,
}

impl Drafted {
    /// What follows from an outcome.
    pub(super) fn new(draft: Draft, outcome: &Outcome) -> Self {
        Self { draft, blobs: outcome.blobs.clone(), coalesced: false }
    }
}

impl Owner {
    /// Adds to the draft what follows from effects that act on nothing, as long as they come to their end at once.
    pub(super) async fn coalesce(
        &mut self,
        mut drafted: Drafted,
        id: &AppendId,
    ) -> Result<Drafted, OwnerError> {
        while let Some(effect) = self.next_to_coalesce() {
            let task = self.perform(&effect);
            let Some(mut outcome) = self.poll_once(effect, task).await else { break };
            self.take_over(&mut outcome);
            drafted.coalesced = true;
            let known = drafted.draft.events().len();
            match self.extend(&mut drafted.draft, &outcome, id) {
                Ok(()) => drafted.blobs.append(&mut outcome.blobs),
                // It is due again, and performed anew.
                Err(DraftError::Refused(_)) => self.prefix = None,
                Err(DraftError::Illegal(error)) => {
                    drafted.draft.undo(&mut self.session);
                    return Err(OwnerError::Fault(error.to_string()));
                }
            }
            if drafted.draft.events().len() == known {
                break;
            }
        }
        Ok(drafted)
    }

    /// Takes a draft back. What was performed for it is performed anew, and its outcome may be another one then.
    pub(super) fn take_back(&mut self, drafted: Drafted) {
        drafted.draft.undo(&mut self.session);
        if drafted.coalesced {
            self.prefix = None;
        }
    }

    fn next_to_coalesce(&self) -> Option<Effect> {
        let acts_on_nothing = |effect: &Effect| {
            matches!(effect.key.action, Action::Prepare(_) | Action::Authorise(_)) && !effect.stop
        };
        self.session.due().into_iter().find(|effect| acts_on_nothing(effect) && !self.flight.has(&effect.key))
    }

    /// The outcome, if it is there at the first poll; otherwise the effect is in flight.
    async fn poll_once(&mut self, effect: Effect, mut task: Task) -> Option<Outcome> {
        let work = &mut task.work;
        let polled =
            std::future::poll_fn(|cx| Poll::Ready(catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx)))));
        match polled.await {
            Ok(Poll::Ready(outcome)) => Some(outcome),
            Ok(Poll::Pending) => {
                self.flight.start(effect.key, task);
                None
            }
            Err(_) => self.land(Landed::Lost(effect.key, effect.key.action)),
        }
    }

    fn extend(&mut self, draft: &mut Draft, outcome: &Outcome, id: &AppendId) -> Result<(), DraftError> {
        let at = draft.at();
        self.deciding(at, |session, ctx| draft.then(session, &outcome.input, id, ctx))
    }
}
