//! What is stored of a session's fold, and how the next snapshot adds to it.

use onward_core::{FOLD_VERSION, Session};
use onward_event::Seq;
use onward_port::{Head, KeptPieces, PutSnapshot};

/// After so many more pieces than are needed the history is stored anew.
pub(crate) const MOST_PIECES: usize = 128;

/// Messages of the largest piece; several pieces can be read at the same time.
const PIECE: usize = 1_024;

/// The snapshot that the store has, as far as this process knows.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StoredSnapshot {
    kept: Option<KeptPieces>,
    /// Messages of the history in those pieces.
    messages: usize,
}

impl StoredSnapshot {
    /// A snapshot that was just read.
    pub(crate) fn of(head: Head, pieces: usize, session: &Session) -> Self {
        let kept = KeptPieces { head, count: pieces };
        Self { kept: Some(kept), messages: session.history().len() }
    }

    /// Where it ends.
    pub(crate) fn head(&self) -> Head {
        self.kept.map_or(Head { seq: Seq(0), hash: onward_event::Digest::ZERO }, |kept| kept.head)
    }

    /// The snapshot of the session as it is, to be stored next; nothing when it cannot be written.
    pub(crate) fn next(&mut self, session: &Session, head: Head) -> Option<PutSnapshot> {
        let keep =
            self.kept.filter(|kept| kept.count < MOST_PIECES && self.messages <= session.history().len());
        let from = if keep.is_some() { self.messages } else { 0 };
        let state = session.snapshot_state().ok()?;
        let starts = (from..session.history().len()).step_by(PIECE);
        let pieces = starts.map(|start| session.snapshot_history(start, PIECE));
        let pieces = pieces.collect::<Result<Vec<_>, _>>().ok()?;
        let count = keep.map_or(0, |kept| kept.count) + pieces.len();
        *self = Self { kept: Some(KeptPieces { head, count }), messages: session.history().len() };
        Some(PutSnapshot { session: session.id(), version: FOLD_VERSION, head, state, keep, pieces })
    }
}
