//! Jobs that are to end with the work of their session: told to, and their ends recorded, while nothing else begins.

use std::time::Duration;

use onward_core::{Action, Effect};
use tokio::time::{Instant, timeout_at};

use super::commit::Extent;
use super::{Owner, OwnerError};

impl Owner {
    /// Awaits the end of every job that somebody has asked to end, at most for so long. Nothing else begins meanwhile.
    /// One that has not ended by then stays asked for: the next owner sees to it.
    ///
    /// # Errors
    /// When the log cannot be written; everything that was recorded is kept.
    pub async fn await_cancelled_jobs(&mut self, limit: Duration) -> Result<(), OwnerError> {
        let deadline = Instant::now() + limit;
        self.catch_up().await?;
        while self.stop_cancelled_jobs() {
            let Ok(landed) = timeout_at(deadline, self.flight.landed()).await else { break };
            if let Some(outcome) = self.land(landed) {
                self.record(outcome, Extent::Input).await?;
            }
        }
        self.forget_over().await;
        Ok(())
    }

    /// Tells each of them to end; whether there are any.
    pub(super) fn stop_cancelled_jobs(&mut self) -> bool {
        let is_one = |effect: &Effect| effect.stop && matches!(effect.key.action, Action::WatchJob(_));
        let due: Vec<Effect> = self.session.due().into_iter().filter(is_one).collect();
        for effect in &due {
            if self.flight.has(&effect.key) {
                self.flight.stop(&effect.key);
            } else {
                let task = self.refuse_to_begin(effect);
                self.flight.start(effect.key, task);
            }
        }
        !due.is_empty()
    }
}
