//! Snapshots: folds that are stored beside a log, so that a long one need not be read again. A cache: whoever keeps none
//! loses nothing but time, and what is kept and cannot be trusted is as good as absent.

use onward_event::SessionId;

use crate::Head;

/// A stored fold of everything up to a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The last record that it contains.
    pub head: Head,
    /// The state: small, written anew each time.
    pub state: Vec<u8>,
    /// The history, in pieces that never change.
    pub history: Vec<Vec<u8>>,
}

/// A snapshot to be stored in place of the session's last one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutSnapshot {
    /// Whose.
    pub session: SessionId,
    /// By which version of the fold it was made: no other may read it.
    pub version: u32,
    /// The last record that it contains.
    pub head: Head,
    /// The state.
    pub state: Vec<u8>,
    /// The pieces of the stored history that stay. When the store has no longer what is said here, nothing is stored.
    pub keep: Option<KeptPieces>,
    /// The pieces that come after those.
    pub pieces: Vec<Vec<u8>>,
}

/// Pieces of a snapshot that was stored earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptPieces {
    /// Of which snapshot.
    pub head: Head,
    /// How many, from the first.
    pub count: usize,
}
