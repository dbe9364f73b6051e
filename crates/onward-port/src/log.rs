//! The log: one append-only stream of records for each session, and who may write to it.
//!
//! Appends commit (they are visible to every reader and survive the death of the process) without being on disk;
//! [`Append::sync`] puts them there, which must happen before an act in the world and before an acknowledgement. An
//! owner appends on exactly the state that it decided on ([`Expect::Head`]); a client folds nothing and appends under a
//! key of its own choice ([`Expect::Any`]).

use onward_event::{
    AgentSpec, AppendId, By, Digest, Epoch, Event, Record, Seq, SessionCreated, SessionId, Timestamp,
    Workspace,
};

use crate::{Blob, BoxFuture, PutSnapshot, Snapshot};

/// What an append assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// The owner's: the log ends at `seq`, and `epoch` is the latest.
    Head {
        /// The last record that the decision knew.
        seq: Seq,
        /// The owner's fencing token.
        epoch: Epoch,
    },
    /// A client's: nothing. [`Append::id`] is its key: appending the same key again changes nothing and is
    /// answered as the first time.
    Any,
}

/// Events to append to one session, all or none.
#[derive(Clone, Debug)]
pub struct Append {
    /// To which session.
    pub session: SessionId,
    /// On what assumption.
    pub expect: Expect,
    /// Names this append, also after an ambiguous end.
    pub id: AppendId,
    /// Now.
    pub at: Timestamp,
    /// The client; absent for the owner.
    pub by: Option<By>,
    /// What happened.
    pub events: Vec<Event>,
    /// Content that the events name, stored in the same transaction (large content: synced before it).
    pub blobs: Vec<Blob>,
    /// Side streams that end here: the events hold the whole.
    pub ends_side: Vec<String>,
    /// Whether to return only when all of it is on disk.
    pub sync: bool,
}

impl Append {
    /// A client's: it assumes nothing, and is on disk when it returns.
    pub fn by_client(session: SessionId, id: AppendId, at: Timestamp, by: By, event: Event) -> Self {
        Self {
            session,
            expect: Expect::Any,
            id,
            at,
            by: Some(by),
            events: vec![event],
            blobs: Vec::new(),
            ends_side: Vec::new(),
            sync: true,
        }
    }
}

/// How an append ended.
#[derive(Clone, Debug)]
pub enum Appended {
    /// It is in the log, now or since an earlier append with the same id.
    Committed {
        /// The position of its first record.
        first: Seq,
        /// The position and hash of its last record.
        head: Head,
    },
    /// Somebody else appended first; nothing was written. These are the records that the owner did not know.
    Conflict {
        /// In their order.
        missed: Vec<Record>,
    },
}

/// The end of a log. Together with a cursor it tells whether a reader and the log still agree: after a loss of power
/// a tail that was not synced may be gone and its numbers used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The last position.
    pub seq: Seq,
    /// Its record's hash.
    pub hash: Digest,
}

/// A new session.
#[derive(Clone, Debug)]
pub struct Create {
    /// The first record.
    pub created: SessionCreated,
    /// More records for the same append: the first message, usually.
    pub events: Vec<Event>,
    /// As in [`Append`]; creating again with the same session id changes nothing.
    pub id: AppendId,
    /// Now.
    pub at: Timestamp,
    /// The client.
    pub by: By,
}

/// The end of an ownership.
#[derive(Clone, Debug)]
pub struct Release {
    /// Of which session.
    pub session: SessionId,
    /// The owner's fencing token.
    pub epoch: Epoch,
    /// The last record that the owner has folded.
    pub seen: Seq,
    /// Names this append, also after an ambiguous end.
    pub id: AppendId,
    /// Now.
    pub at: Timestamp,
}

/// How a release ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Released {
    /// Ownership was given back, now or by an earlier release of the same epoch.
    Free,
    /// Somebody else appended first; nothing was written, and the session is still owned.
    Behind,
}

/// A record as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRecord {
    /// Its position by the store's own key.
    pub seq: Seq,
    /// [`Record::to_bytes`].
    pub bytes: Vec<u8>,
    /// `chain(hash of the record before, bytes)`.
    pub hash: Digest,
}

/// Whether a session is being worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnerState {
    /// Nobody owns it.
    Free,
    /// A living process owns it.
    Held {
        /// As it named itself.
        owner: String,
    },
    /// Its owner died without releasing it: it can be taken over at once.
    Orphaned {
        /// As it named itself.
        owner: String,
    },
}

/// A line of the list of sessions.
#[derive(Clone, Debug)]
pub struct SessionSummary {
    /// The session.
    pub session: SessionId,
    /// When it was created.
    pub created: Timestamp,
    /// When its last record was appended.
    pub updated: Timestamp,
    /// What it was set up with.
    pub spec: AgentSpec,
    /// Where it works.
    pub workspace: Workspace,
    /// Its end.
    pub head: Head,
    /// Who works on it.
    pub owner: OwnerState,
}

/// A piece of a side stream: deltas of an attempt, progress of a call. Never a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideChunk {
    /// Counted from 0 within the scope.
    pub n: u64,
    /// What arrived.
    pub text: String,
}

/// What can go wrong with a log. Every message says what was kept.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// There is no such session.
    #[error("there is no session {0}")]
    NoSession(SessionId),
    /// A living process owns the session.
    #[error(
        "session {session} is owned by {owner}; nothing was changed. Follow it with `onward log --follow`, or send to it with `onward send`"
    )]
    Owned {
        /// Which.
        session: SessionId,
        /// By whom.
        owner: String,
    },
    /// Another process took the session over; this one may not write to it any more.
    #[error("session {session} was taken over (epoch {current:?} now, {ours:?} here); nothing was written")]
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

/// The store of all sessions.
pub trait Log: Send + Sync {
    /// Creates a session; returns when it is on disk.
    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>>;

    /// Takes ownership and appends `owner/acquired` with the next epoch, in one transaction.
    ///
    /// # Errors
    /// [`LogError::Owned`] while a living process owns it.
    fn acquire(
        &self,
        session: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>>;

    /// Gives ownership back and appends `owner/released`, unless the log reaches beyond what the owner has seen: what
    /// landed there would wait for somebody who may never come.
    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>>;

    /// Appends all events or none.
    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>>;

    /// Up to `limit` records after `after`, as stored; nothing is verified.
    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>>;

    /// The end of a log.
    fn head(&self, session: SessionId) -> BoxFuture<'_, Result<Head, LogError>>;

    /// Returns when the log reaches beyond `after`, whoever appended. May return early.
    fn changed(&self, session: SessionId, after: Seq) -> BoxFuture<'_, ()>;

    /// Every session, the latest first.
    fn sessions(&self) -> BoxFuture<'_, Result<Vec<SessionSummary>, LogError>>;

    /// Appends a piece to a side stream: unsynced, in order, and lost without harm.
    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>>;

    /// Hands a snapshot over to be stored, some time later and outside any append; what cannot be stored is dropped.
    /// A store that keeps none does nothing.
    fn put_snapshot(&self, put: PutSnapshot) -> BoxFuture<'_, Result<(), LogError>> {
        drop(put);
        Box::pin(std::future::ready(Ok(())))
    }

    /// The stored snapshot of a session by this version of the fold, if there is one, if it is whole, and if the log
    /// still has the record that it ends with. Never an error because of what is stored.
    fn snapshot(
        &self,
        _session: SessionId,
        _version: u32,
    ) -> BoxFuture<'_, Result<Option<Snapshot>, LogError>> {
        Box::pin(std::future::ready(Ok(None)))
    }

    /// What a side stream holds from `from` on; empty when its scope has ended.
    fn side(
        &self,
        session: SessionId,
        scope: String,
        from: u64,
    ) -> BoxFuture<'_, Result<Vec<SideChunk>, LogError>>;
}
