//! What most tests need: a store in a folder of its own, sessions, appends, and the check that a log is whole.

use std::path::Path;

use onward_event::{
    AgentSpec, AppendId, By, Digest, Epoch, Event, InboxMessage, InboxReceived, InterruptRequested,
    JobsAtEnd, Limits, MessageId, Mode, ModelConfig, NoticeAdded, NoticeReason, Origin, Part, Record, Seq,
    SessionCreated, SessionId, Target, Timestamp, Workspace,
};
use onward_port::{Append, Appended, Create, Expect, Head, Log, LogError, Release, StoredRecord, chain};
use onward_sqlite::{OpenOptions, SqliteStore};
use tempfile::TempDir;

/// A store in a temporary folder.
pub(crate) struct Bench {
    pub(crate) store: SqliteStore,
    pub(crate) folder: TempDir,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { store: open(folder.path()), folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }
}

pub(crate) fn open(folder: &Path) -> SqliteStore {
    SqliteStore::open(OpenOptions::new(folder)).unwrap()
}

pub(crate) fn session(n: u128) -> SessionId {
    SessionId::from_bits(n)
}

pub(crate) fn id(text: impl Into<String>) -> AppendId {
    AppendId(text.into())
}

pub(crate) fn now(millis: u64) -> Timestamp {
    Timestamp(1_764_500_000_000 + millis)
}

pub(crate) fn by() -> By {
    By { principal: "local".into(), channel: "cli".into() }
}

pub(crate) fn created(session: SessionId) -> SessionCreated {
    let model = ModelConfig::new("scripted", "m", 1000, 100);
    let spec = AgentSpec {
        model,
        tools: vec!["read".into()],
        mode: Mode::Normal,
        limits: Limits::default(),
        jobs_at_end: JobsAtEnd::default(),
    };
    SessionCreated { session, spec, workspace: Workspace { root: "/w".into(), dir: "/w".into() } }
}

pub(crate) fn create(session: SessionId) -> Create {
    Create {
        created: created(session),
        events: Vec::new(),
        id: id(format!("create-{session}")),
        at: now(0),
        by: by(),
    }
}

/// A session with its first record, owned by this store under epoch 1.
pub(crate) async fn owned(store: &SqliteStore, n: u128) -> (SessionId, Head) {
    let session = session(n);
    store.create(create(session)).await.unwrap();
    store.acquire(session, "tester".into(), id(format!("acquire-{n}")), now(1)).await.unwrap();
    (session, store.head(session).await.unwrap())
}

/// Something for a client to append.
pub(crate) fn message(text: &str) -> Event {
    let message = InboxMessage {
        id: MessageId::from_bits(7),
        content: vec![Part::text(text)],
        target: Target::NextTurn,
        wakeup: true,
        origin: Origin::User,
    };
    InboxReceived { message }.into()
}

/// Something that only a client may append.
pub(crate) fn interrupt() -> Event {
    InterruptRequested { turn: None }.into()
}

/// Something that only the owner may append.
pub(crate) fn notice(text: &str) -> Event {
    NoticeAdded { text: text.into(), reason: NoticeReason::Recovered, cause: None }.into()
}

pub(crate) fn client(session: SessionId, key: &str, events: Vec<Event>) -> Append {
    Append {
        session,
        expect: Expect::Any,
        id: id(key),
        at: now(2),
        by: Some(by()),
        events,
        blobs: Vec::new(),
        ends_side: Vec::new(),
        sync: false,
    }
}

pub(crate) fn owner(session: SessionId, seq: Seq, epoch: u64, key: &str, events: Vec<Event>) -> Append {
    Append { expect: Expect::Head { seq, epoch: Epoch(epoch) }, by: None, ..client(session, key, events) }
}

/// The end of an ownership, by an owner that has seen so much.
pub(crate) fn release(session: SessionId, epoch: u64, seen: u64) -> Release {
    Release { session, epoch: Epoch(epoch), seen: Seq(seen), id: id(format!("release-{epoch}")), at: now(3) }
}

/// Appends and returns first position and head.
pub(crate) async fn committed(store: &SqliteStore, append: Append) -> (Seq, Head) {
    match store.append(append).await.unwrap() {
        Appended::Committed { first, head } => (first, head),
        Appended::Conflict { missed } => panic!("a conflict with {} records", missed.len()),
    }
}

/// Reads the whole log and verifies that it is contiguous, chained, and in its stored form.
pub(crate) async fn whole(store: &SqliteStore, session: SessionId) -> Vec<Record> {
    let stored = store.read(session, Seq(0), usize::MAX).await.unwrap();
    let records = verified(&stored);
    let head = store.head(session).await.unwrap();
    assert_eq!(head, last(&stored));
    records
}

pub(crate) fn verified(stored: &[StoredRecord]) -> Vec<Record> {
    let mut hash = Digest::ZERO;
    let mut out = Vec::new();
    for (n, one) in stored.iter().enumerate() {
        assert_eq!(one.seq, Seq(n as u64 + 1));
        hash = chain(&hash, &one.bytes);
        assert_eq!(hash, one.hash, "record {} is chained to the one before", one.seq);
        let record = Record::from_bytes(&one.bytes).unwrap();
        assert_eq!(record.seq, one.seq);
        assert_eq!(record.to_bytes().unwrap(), one.bytes);
        assert_ne!(record.epoch.is_some(), record.by.is_some(), "a record is the owner's or a client's");
        out.push(record);
    }
    out
}

pub(crate) fn last(stored: &[StoredRecord]) -> Head {
    let last = stored.last().unwrap();
    Head { seq: last.seq, hash: last.hash }
}

pub(crate) fn kinds(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.event.kind()).collect()
}

pub(crate) fn assert_io(error: &LogError, part: &str) {
    assert!(matches!(error, LogError::Io(_)) && error.to_string().contains(part), "{error}");
}

pub(crate) use onward_test::not_tested;
