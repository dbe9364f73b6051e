//! The log: one append-only stream of records for each session, and who may write to it.
//!
//! Appends commit (they are visible to every reader and survive the death of the process) without being on disk;
//! [`Append::sync`] puts them there, which must happen before an act in the world and before an acknowledgement. An
//! owner appends on exactly the state that it decided on ([`Expect::Head`]); a client folds nothing and appends under a
//! key of its own choice ([`Expect::Any`]).

mod error;

pub use error::LogError;

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
