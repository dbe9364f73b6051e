//! Ending in order: nothing new starts, what is in flight comes to an end that can be recorded, and the run goes on
//! with the next owner (seed, section 16, last paragraph).

use std::time::Duration;

use onward_core::{Action, Input};
use tokio::time::{Instant, timeout_at};

use super::commit::Extent;
use super::{Owner, OwnerError};
use crate::effects::Outcome;

impl Owner {
    /// Stops the model, waits for calls that end with this process, leaves those that live on under their supervisors,
    /// and gives ownership back, all within `limit`. What has not ended by then is recovered as after a crash.
    ///
    /// # Errors
    /// When the log cannot be written; everything that was recorded is kept.
    pub async fn pause(mut self, limit: Duration) -> Result<(), OwnerError> {
        let deadline = Instant::now() + limit;
        self.flight.stop_asking();
        let session = &self.session;
        self.flight.drop_others(|action| match action {
            Action::Ask(_) | Action::Salvage(_) | Action::Reconcile(_) => true,
            Action::Run(id) => !session.is_supervised(id),
            Action::Prepare(_)
            | Action::Authorise(_)
            | Action::Attach(_)
            | Action::Detach(_)
            | Action::WatchJob(_)
            | Action::Sleep { .. } => false,
        });
        while !self.flight.is_empty() {
            let Ok(landed) = timeout_at(deadline, self.flight.landed()).await else { break };
            if let Some(outcome) = self.land(landed) {
                self.record(outcome, Extent::Input).await?;
            }
        }
        self.record(Outcome::input(Input::Pause), Extent::Input).await?;
        self.forget_over().await;
        if self.flight.is_empty() && !self.session.has_started_calls() {
            return self.abandon().await;
        }
        // Ownership ends with the process; the next owner finds what goes on by its handle.
        Ok(())
    }
}
