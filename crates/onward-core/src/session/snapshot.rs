//! A fold, stored: what saves an owner from reading a long log again.
//!
//! A snapshot is a cache and nothing else. It is keyed by [`FOLD_VERSION`] and by the last record that it contains; one
//! with any other key is ignored, and the log is folded from its start. The state is small and written as a whole; the
//! history only grows at its end, so it is kept in pieces that never change, and each snapshot adds one.

use onward_event::Message;

use super::history::History;
use super::{Session, State};
use crate::prelude::*;

/// The version of the fold: of the shape of the state, and of what the fold makes of a record. It is raised with each
/// change of either; a test compares.
pub const FOLD_VERSION: u32 = 3;

/// Bytes that are no snapshot, or not of this version.
#[derive(Debug, thiserror::Error)]
pub enum BadSnapshot {
    /// The state.
    #[error("the stored state cannot be read: {0}")]
    State(#[source] serde_json::Error),
    /// The two do not belong together.
    #[error("the stored history has {found} messages, its state needs at least {needed}")]
    Length {
        /// What is there.
        found: usize,
        /// What the last request had.
        needed: usize,
    },
}

/// Messages of a history, read from one piece of a snapshot.
#[derive(Clone, Debug, PartialEq)]
pub struct HistoryPiece(Vec<Message>);

impl HistoryPiece {
    /// Reads a piece. Pieces do not depend on each other: they can be read at the same time.
    ///
    /// # Errors
    /// When the bytes are no messages.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes).map(Self)
    }
}

impl Session {
    /// Everything but the history, as bytes.
    ///
    /// # Errors
    /// Never for a state that a log gave; the signature follows `serde_json`.
    pub fn snapshot_state(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&self.state)
    }

    /// At most `most` messages of the history, from `from` on, as bytes.
    ///
    /// # Errors
    /// As [`Session::snapshot_state`].
    pub fn snapshot_history(&self, from: usize, most: usize) -> Result<Vec<u8>, serde_json::Error> {
        let rest = self.history().get(from..).unwrap_or_default();
        serde_json::to_vec(rest.get(..most).unwrap_or(rest))
    }

    /// The session that was stored. What else must hold, the caller checks: that the bytes are whole, and that the log
    /// still has the record that the snapshot ends with.
    ///
    /// # Errors
    /// When the parts cannot be read or do not belong together; the log is then to be folded instead.
    pub fn from_snapshot(
        state: &[u8],
        history: impl IntoIterator<Item = HistoryPiece>,
    ) -> Result<Self, BadSnapshot> {
        let state: State = serde_json::from_slice(state).map_err(BadSnapshot::State)?;
        let history = History::from_pieces(history.into_iter().map(|piece| piece.0));
        let (found, needed) = (history.len(), state.tail.requested);
        match found < needed {
            true => Err(BadSnapshot::Length { found, needed }),
            false => Ok(Self { state, history }),
        }
    }
}
