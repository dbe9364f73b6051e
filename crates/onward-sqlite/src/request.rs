//! What callers ask of the writer thread, and what it answers.

use onward_event::{AppendId, Digest, Epoch, Seq, SessionId, Timestamp};
use onward_port::{Head, LogError, PutSnapshot, Release, SideChunk, StoredRecord};
use tokio::sync::oneshot;

use crate::draft::Draft;

/// One thing to write, all or none of it.
#[derive(Debug)]
pub(crate) enum Request {
    /// Records.
    Append(Draft),
    /// A session with its first records.
    Create(Draft, Setup),
    /// Ownership.
    Acquire { session: SessionId, owner: String, id: AppendId, at: Timestamp },
    /// Its end.
    Release(Release),
    /// What is told about records that are taken out, in the place of these.
    SetAside(Draft, Cutting),
    /// Nothing new, but everything up to `seq` on disk.
    Sync { session: SessionId, seq: Seq },
}

/// Where a log is cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cutting {
    /// The last record that stays.
    pub(crate) keep: Head,
    /// The latest epoch up to there.
    pub(crate) epoch: Epoch,
    /// How many records behind it are kept in a file.
    pub(crate) kept: usize,
}

/// What a session was set up with, as JSON.
#[derive(Debug)]
pub(crate) struct Setup {
    pub(crate) spec: String,
    pub(crate) workspace: String,
}

/// A request that was done, now or earlier.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Done {
    /// The first record that it appended.
    pub(crate) first: Seq,
    /// The last one.
    pub(crate) head: Head,
    /// The session's epoch.
    pub(crate) epoch: Epoch,
    /// Whether it was done now: then this transaction has something to put on disk.
    pub(crate) fresh: bool,
}

/// How a request ended.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It was done.
    Done(Done),
    /// The owner did not know these; nothing was written. `before` is the hash that the first is chained to.
    Missed { before: Digest, records: Vec<StoredRecord> },
    /// The owner does not know the end of the log: it was not released.
    Behind,
}

/// A request and where its answer goes.
pub(crate) struct Job {
    pub(crate) request: Request,
    pub(crate) reply: oneshot::Sender<Result<Outcome, LogError>>,
}

/// A piece of a side stream on its way.
#[derive(Debug)]
pub(crate) struct SidePut {
    pub(crate) session: SessionId,
    pub(crate) scope: String,
    pub(crate) chunk: SideChunk,
}

/// What the writer thread is handed.
pub(crate) enum Order {
    /// Something that is answered when it is committed.
    Write(Job),
    /// Something that is not answered.
    Side(SidePut),
    /// The same, when everything else is done.
    Snapshot(Box<PutSnapshot>),
}

impl Request {
    /// Which session it is about.
    pub(crate) fn session(&self) -> SessionId {
        match self {
            Self::Append(draft) | Self::Create(draft, _) | Self::SetAside(draft, _) => draft.session,
            Self::Acquire { session, .. } | Self::Sync { session, .. } => *session,
            Self::Release(release) => release.session,
        }
    }

    /// Whether its answer means that it is on disk.
    pub(crate) fn wants_sync(&self) -> bool {
        match self {
            Self::Append(draft) => draft.sync,
            Self::Create(..) | Self::Acquire { .. } | Self::SetAside(..) | Self::Sync { .. } => true,
            // If it gets lost the session is orphaned instead of free, and as easily taken.
            Self::Release(_) => false,
        }
    }

    /// Side streams that end with it.
    pub(crate) fn ends_side(&self) -> &[String] {
        match self {
            Self::Append(draft) => &draft.ends_side,
            _ => &[],
        }
    }

    /// What it is, for errors.
    pub(crate) fn what(&self) -> String {
        match self {
            Self::Append(draft) => format!("{} records of {}", draft.bodies.len(), draft.session),
            Self::Create(draft, _) => format!("the new session {}", draft.session),
            Self::Acquire { session, .. } => format!("the ownership of {session}"),
            Self::Release(release) => format!("the release of {}", release.session),
            Self::SetAside(draft, cutting) => {
                format!("setting {} records of {} aside", cutting.kept, draft.session)
            }
            Self::Sync { session, .. } => format!("syncing {session}"),
        }
    }
}
