//! What can go wrong with a log.

use onward_event::{Epoch, Seq, SessionId};

/// What can go wrong with a log. Every message says what was kept.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// There is no such session.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// A living process owns the session.
    #[error(
        "{owner} works on session {session}; nothing was changed. Follow it with `onward log --follow`, or send to it with `onward send`"
    )]
    Owned {
        /// Which.
        session: SessionId,
        /// By whom.
        owner: String,
    },
    /// Another process took the session over; this one may not write to it any more.
    #[error("another process has taken session {session} over; nothing was written here")]
    Fenced {
        /// Which.
        session: SessionId,
        /// The epoch of this process.
        ours: Epoch,
        /// The latest epoch.
        current: Epoch,
    },
    /// There is no room. Nothing was written.
    #[error(
        "no room on the disk for {what} ({path}); nothing was recorded, and nothing new is begun. Free some space: the session goes on from here"
    )]
    Full {
        /// What was to be written.
        what: String,
        /// Where.
        path: String,
    },
    /// The place cannot be written to. Nothing was written.
    #[error("cannot write to {path}: {why}; nothing was recorded, so nothing was done")]
    ReadOnly {
        /// Where.
        path: String,
        /// Why.
        why: String,
    },
    /// What is stored is not what was written.
    #[error(
        "session {session} is damaged at record {seq}: {what}; the records before it are whole. Restore the folder from a copy, or go on from them: `onward recover --accept-loss`"
    )]
    Damaged {
        /// Which.
        session: SessionId,
        /// The first record that is not whole.
        seq: Seq,
        /// What is wrong.
        what: String,
    },
    /// A record is whole, and of a kind that this version does not know.
    #[error("session {session} cannot be read to its end, at record {seq}: {what}; nothing was changed")]
    Newer {
        /// Which.
        session: SessionId,
        /// The first record of such a kind.
        seq: Seq,
        /// What it is.
        what: String,
    },
    /// A record or its content would hold a configured secret; nothing was written.
    #[error("{0} would hold a configured secret that could not be taken out; nothing was recorded")]
    HoldsSecret(String),
    /// A blob is not what its digest says, or the store itself is not a store.
    #[error("the store is damaged: {0}")]
    Corrupt(String),
    /// Records that were on disk are gone from the end of the store. What is left can be read.
    #[error(
        "the store is damaged: {0}. Nothing was changed. `onward log` and `onward show` show what is left. Restore the folder from a copy, or go on without what is missing: `onward recover --accept-loss`"
    )]
    Cut(String),
    /// It is not known whether the append was committed; appending again with the same id answers it.
    #[error("it is not known whether the append was committed: {0}")]
    Ambiguous(String),
    /// Anything else.
    #[error("the log cannot be used: {0}")]
    Io(String),
}

impl LogError {
    /// Whether the same operation may succeed later without anybody changing the request: a full disk, a lock, an
    /// ambiguous end.
    pub fn may_pass(&self) -> bool {
        matches!(self, Self::Full { .. } | Self::ReadOnly { .. } | Self::Ambiguous(_) | Self::Io(_))
    }
}
