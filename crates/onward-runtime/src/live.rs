//! What happens right now, for those who watch in the same process. Nothing depends on it: whoever lags behind reads
//! the log.

use std::sync::Arc;

use onward_event::{AttemptId, Record, Seq};
use onward_port::ModelDelta;
use tokio::sync::broadcast;

/// Events kept for a watcher that is slow; past it the watcher is told that it lags.
const BACKLOG: usize = 1_024;

/// Something to watch.
#[derive(Clone, Debug)]
pub enum LiveEvent {
    /// A piece of a model's reply, before it is accepted.
    Delta {
        /// The attempt.
        attempt: AttemptId,
        /// The piece.
        delta: ModelDelta,
    },
    /// These records are in the log now.
    Committed(Arc<Vec<Record>>),
    /// The log cannot be written; the owner waits and tries again. Nothing is done meanwhile.
    Stalled(String),
    /// The log can be written again.
    Resumed(Seq),
}

/// The sending end.
#[derive(Clone, Debug)]
pub struct Live(broadcast::Sender<LiveEvent>);

impl Live {
    /// A feed that nobody watches yet.
    pub fn new() -> Self {
        Self(broadcast::channel(BACKLOG).0)
    }

    /// Watches from now on.
    pub fn watch(&self) -> broadcast::Receiver<LiveEvent> {
        self.0.subscribe()
    }

    pub(crate) fn say(&self, event: impl FnOnce() -> LiveEvent) {
        if self.0.receiver_count() > 0 {
            // Without a watcher there is nothing to tell.
            let _ = self.0.send(event());
        }
    }
}

impl Default for Live {
    fn default() -> Self {
        Self::new()
    }
}
