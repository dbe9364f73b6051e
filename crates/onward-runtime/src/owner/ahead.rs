//! Looking ahead: what is put together and judged in memory is decided on in the same append as what called for it.
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
    /// Whether some of it follows from looking ahead.
    pub(super) looked: bool,
}

impl Drafted {
    /// What follows from an outcome.
    pub(super) fn new(draft: Draft, outcome: &Outcome) -> Self {
        Self { draft, blobs: outcome.blobs.clone(), looked: false }
    }
}

impl Owner {
    /// Adds to the draft what follows from looking, as long as that comes to its end at once.
    pub(super) async fn look_ahead(
        &mut self,
        mut drafted: Drafted,
        id: &AppendId,
    ) -> Result<Drafted, OwnerError> {
        while let Some(effect) = self.next_look() {
            let task = self.perform(&effect);
            let Some(mut outcome) = self.look(effect, task).await else { break };
            self.take_over(&mut outcome);
            drafted.looked = true;
            let known = drafted.draft.events().len();
            match self.extend(&mut drafted.draft, &outcome, id) {
                Ok(()) => drafted.blobs.append(&mut outcome.blobs),
                // It is due again, and looked at anew.
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

    /// Takes a draft back. What was looked at for it is looked at anew, and may be something else then.
    pub(super) fn take_back(&mut self, drafted: Drafted) {
        drafted.draft.undo(&mut self.session);
        if drafted.looked {
            self.prefix = None;
        }
    }

    fn next_look(&self) -> Option<Effect> {
        let only_looks = |effect: &Effect| {
            matches!(effect.key.action, Action::Prepare(_) | Action::Authorise(_)) && !effect.stop
        };
        self.session.due().into_iter().find(|effect| only_looks(effect) && !self.flight.has(&effect.key))
    }

    /// The outcome, if it is there at the first poll; otherwise the effect is in flight.
    async fn look(&mut self, effect: Effect, mut task: Task) -> Option<Outcome> {
        let work = &mut task.work;
        let polled =
            std::future::poll_fn(|cx| Poll::Ready(catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx)))));
        match polled.await {
            Ok(Poll::Ready(outcome)) => Some(outcome),
            Ok(Poll::Pending) => {
                self.flight.start(effect.key, task);
                None
            }
            Err(_) => self.settle(Landed::Lost(effect.key, effect.key.action)),
        }
    }

    fn extend(&mut self, draft: &mut Draft, outcome: &Outcome, id: &AppendId) -> Result<(), DraftError> {
        let at = draft.at();
        self.deciding(at, |session, ctx| draft.then(session, &outcome.input, id, ctx))
    }
}
