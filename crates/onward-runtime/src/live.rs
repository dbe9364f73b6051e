//! What happens right now, for those who watch in the same process. Nothing depends on it: whoever lags behind reads
//! the log.

use std::sync::{Arc, OnceLock};

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
    /// The result of a call or a job cannot be had, although its command has ended; it comes by itself when this reason
    /// has passed. Said once for each.
    Stuck(String),
    /// The log can be written again.
    Resumed(Seq),
}

/// The sending end. Its backlog is made when somebody watches: an owner that nobody watches costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Live(Arc<OnceLock<broadcast::Sender<LiveEvent>>>);

impl Live {
    /// A feed that nobody watches yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Watches from now on.
    pub fn watch(&self) -> broadcast::Receiver<LiveEvent> {
        self.0.get_or_init(|| broadcast::channel(BACKLOG).0).subscribe()
    }

    pub(crate) fn say(&self, event: impl FnOnce() -> LiveEvent) {
        if let Some(sender) = self.0.get().filter(|sender| sender.receiver_count() > 0) {
            // Without a watcher there is nothing to tell.
            let _ = sender.send(event());
        }
    }
}
