//! Ending in order: nothing new starts, what is in flight comes to an end that can be recorded, and the run goes on
//! with the next owner (seed, section 16, last paragraph).

use std::time::Duration;

use onward_core::{Action, Call, Input, Session};
use onward_event::ToolStart;
use tokio::time::{Instant, timeout_at};

use super::commit::Extent;
use super::{Owner, OwnerError};
use crate::effects::Outcome;

impl Owner {
    /// Stops the model, waits for calls that end with this process and for jobs that were asked to end, leaves those that
    /// live on under their supervisors, and gives ownership back, all within `limit`. What has not ended by then is
    /// recovered as after a crash. Returns the session as it is left.
    ///
    /// # Errors
    /// When the log cannot be written; everything that was recorded is kept.
    pub async fn pause(mut self, limit: Duration) -> Result<Session, OwnerError> {
        // From here on nothing is waited for that somebody else would have to do.
        self.stop.cancel();
        let deadline = Instant::now() + limit;
        self.flight.stop_asking();
        self.catch_up().await?;
        self.stop_cancelled_jobs();
        let session = &self.session;
        self.flight.drop_others(|action| match action {
            Action::Ask(_) | Action::Salvage(_) | Action::Reconcile(_) => true,
            Action::Run(id) => !session.is_supervised(id),
            Action::Prepare(_)
            | Action::Authorise(_)
            | Action::Attach(_)
            | Action::Detach(_)
            | Action::Sleep { .. } => false,
            Action::WatchJob(id) => session.job(id).is_some_and(|job| job.cancel.is_some()),
        });
        while !self.flight.is_empty() {
            let Ok(landed) = timeout_at(deadline, self.flight.landed()).await else { break };
            if let Some(outcome) = self.land(landed) {
                self.record(outcome, Extent::Input).await?;
            }
        }
        self.record(Outcome::input(Input::Pause), Extent::Input).await?;
        self.forget_over().await;
        // What has not ended in time holds nobody up: the request for its end is on the log.
        self.flight.drop_others(|action| !matches!(action, Action::WatchJob(_)));
        let left = self.session.clone();
        let ends_with_us = |call: &Call| !call.start().is_some_and(ToolStart::is_supervised);
        if self.flight.is_empty() && !left.started_calls().any(ends_with_us) {
            self.abandon().await?;
        }
        // Otherwise ownership ends with the process, and whoever comes next finds out what became of it.
        Ok(left)
    }
}
