//! Opening with and without a stored fold: the same session, and the same damage found.

use std::sync::Mutex;

use onward_core::{FOLD_VERSION, Session};
use onward_event::{
    AgentSpec, AppendId, By, Digest, Epoch, Event, InboxMessage, InboxReceived, JobsAtEnd, Limits, MessageId,
    Mode, ModelConfig, Origin, Part, Record, Seq, SessionCreated, SessionId, Target, Timestamp, Workspace,
};
use onward_port::{
    Append, Appended, BoxFuture, Create, Head, KeptPieces, Log, LogError, Release, Released, SessionSummary,
    SideChunk, Snapshot, StoredRecord, chain,
};

use super::open;
use crate::snapshots::{MOST_PIECES, StoredSnapshot};

const SESSION: SessionId = SessionId::from_bits(1);
const TAIL: usize = 100;

/// A log that is only read.
struct Fake {
    records: Vec<StoredRecord>,
    snapshot: Option<Snapshot>,
    /// After which positions it was read.
    reads: Mutex<Vec<Seq>>,
}

fn spec() -> AgentSpec {
    let model = ModelConfig::new("p", "m", 1_000, 100);
    AgentSpec {
        model,
        tools: Vec::new(),
        mode: Mode::Normal,
        limits: Limits::default(),
        jobs_at_end: JobsAtEnd::default(),
    }
}

fn event(n: u64) -> Event {
    if n == 1 {
        let workspace = Workspace { root: "/w".into(), dir: "/w".into() };
        return SessionCreated { session: SESSION, spec: spec(), workspace }.into();
    }
    let message = InboxMessage {
        id: MessageId::from_bits(u128::from(n)),
        content: vec![Part::text(format!("message {n}"))],
        target: Target::NextTurn,
        wakeup: true,
        origin: Origin::User,
    };
    InboxReceived { message }.into()
}

impl Fake {
    /// A log of so many records.
    fn new(count: u64) -> Self {
        let (mut records, mut hash) = (Vec::new(), Digest::ZERO);
        for n in 1..=count {
            let by = Some(By { principal: "ada".into(), channel: "test".into() });
            let append = AppendId(format!("a{n}"));
            let record = Record { seq: Seq(n), at: Timestamp(n), epoch: None, by, append, event: event(n) };
            let bytes = record.to_bytes().unwrap();
            hash = chain(&hash, &bytes);
            records.push(StoredRecord { seq: Seq(n), bytes, hash });
        }
        Self { records, snapshot: None, reads: Mutex::default() }
    }

    /// With a stored fold of the first `at` records.
    async fn with_snapshot(mut self, at: u64) -> Self {
        let short = Self { records: self.records[..at as usize].to_vec(), ..Self::new(0) };
        let session = load(&short, SESSION, TAIL).await.unwrap();
        let head = self.head_at(at);
        let put = StoredSnapshot::default().next(&session, head).unwrap();
        assert_eq!(put.version, FOLD_VERSION);
        self.snapshot = Some(Snapshot { head, state: put.state, history: put.pieces });
        self
    }

    fn head_at(&self, n: u64) -> Head {
        let last = &self.records[n as usize - 1];
        Head { seq: last.seq, hash: last.hash }
    }

    fn first_read(&self) -> Seq {
        self.reads.lock().unwrap()[0]
    }
}

async fn load(log: &Fake, session: SessionId, tail: usize) -> Result<Session, LogError> {
    open(log, session, tail).await.map(|opened| opened.session)
}

fn shown(session: &Session) -> String {
    format!("{session:?}")
}

#[tokio::test]
async fn a_stored_fold_saves_reading_and_changes_nothing() {
    for count in [1, 2, 99, 101, 700, 4_500] {
        let plain = shown(&load(&Fake::new(count), SESSION, TAIL).await.unwrap());
        for at in [1, 2, count / 2, count - 1, count].into_iter().filter(|at| (1..=count).contains(at)) {
            let log = Fake::new(count).with_snapshot(at).await;
            let opened = open(&log, SESSION, TAIL).await.unwrap();
            assert_eq!(shown(&opened.session), plain, "{at} of {count}");
            assert_eq!(opened.snapshot.head(), log.head_at(at), "{at} of {count}");
            let before = at.min(count.saturating_sub(TAIL as u64)).saturating_sub(1);
            assert_eq!(log.first_read(), Seq(before), "{at} of {count}");
        }
    }
}

#[tokio::test]
async fn a_stored_fold_that_cannot_be_true_is_ignored() {
    let plain = shown(&load(&Fake::new(900), SESSION, TAIL).await.unwrap());
    let damages: [fn(&mut Snapshot); 6] = [
        |found| found.head.hash = Digest([9; 32]),
        |found| found.head.seq = Seq(500),
        |found| found.head.seq = Seq(5_000),
        |found| found.state.truncate(found.state.len() / 2),
        |found| found.state = b"{}".to_vec(),
        |found| found.history.push(b"[1]".to_vec()),
    ];
    for damage in damages {
        for at in [400, 899, 900] {
            let mut log = Fake::new(900).with_snapshot(at).await;
            log.snapshot.iter_mut().for_each(damage);
            let opened = open(&log, SESSION, TAIL).await.unwrap();
            assert_eq!(shown(&opened.session), plain);
            assert_eq!(opened.snapshot.head().seq, Seq(0), "it is not built on");
        }
    }
}

#[tokio::test]
async fn damage_of_the_tail_is_found_with_a_stored_fold_and_without() {
    for at in [None, Some(300), Some(650), Some(700)] {
        for (n, what) in [(700, "hash"), (601, "hash"), (660, "missing")] {
            let mut log = match at {
                Some(at) => Fake::new(700).with_snapshot(at).await,
                None => Fake::new(700),
            };
            match what {
                "missing" => drop(log.records.remove(n - 1)),
                _ => log.records[n - 1].bytes.push(b' '),
            }
            let error = load(&log, SESSION, TAIL).await.unwrap_err();
            let LogError::Damaged { seq, what: said, .. } = &error else { panic!("{error}") };
            assert!(*seq == Seq(n as u64) && said.contains(what), "{at:?} {n}: {error}");
        }
    }
}

#[tokio::test]
async fn bytes_that_are_no_record_are_named_in_any_half_of_any_page() {
    for n in [2, 600, 2_047, 2_049, 4_097, 6_000] {
        let mut log = Fake::new(6_000);
        log.records[n - 1].bytes = b"nothing".to_vec();
        let error = load(&log, SESSION, TAIL).await.unwrap_err();
        assert!(matches!(error, LogError::Damaged { seq, .. } if seq == Seq(n as u64)), "{n}: {error}");
    }
}

#[tokio::test]
async fn a_snapshot_builds_on_the_one_before_until_it_has_too_many_pieces() {
    let log = Fake::new(3);
    let session = load(&log, SESSION, TAIL).await.unwrap();
    let mut stored = StoredSnapshot::default();
    assert_eq!(stored.next(&session, log.head_at(3)).unwrap().keep, None, "there is none before");
    let kept = KeptPieces { head: log.head_at(3), count: 0 };
    assert_eq!(stored.next(&session, log.head_at(3)).unwrap().keep, Some(kept));
    let mut many = StoredSnapshot::of(log.head_at(2), MOST_PIECES - 1, &session);
    assert_eq!(many.next(&session, log.head_at(3)).unwrap().keep.unwrap().count, MOST_PIECES - 1);
    let mut most = StoredSnapshot::of(log.head_at(2), MOST_PIECES, &session);
    assert_eq!(most.next(&session, log.head_at(3)).unwrap().keep, None, "it is stored anew");
}

impl Log for Fake {
    fn create(&self, _: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        refused()
    }

    fn acquire(
        &self,
        _: SessionId,
        _: String,
        _: AppendId,
        _: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        refused()
    }

    fn release(&self, _: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        refused()
    }

    fn append(&self, _: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        refused()
    }

    fn read(
        &self,
        _: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        self.reads.lock().unwrap().push(after);
        let page = self.records.iter().filter(move |stored| stored.seq > after).take(limit);
        Box::pin(std::future::ready(Ok(page.cloned().collect())))
    }

    fn head(&self, _: SessionId) -> BoxFuture<'_, Result<Head, LogError>> {
        let last = self.records.last().map(|stored| Head { seq: stored.seq, hash: stored.hash });
        Box::pin(std::future::ready(last.ok_or(LogError::NoSession(SESSION))))
    }

    fn changed(&self, _: SessionId, _: Seq) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }

    fn sessions(&self) -> BoxFuture<'_, Result<Vec<SessionSummary>, LogError>> {
        refused()
    }

    fn put_side(&self, _: SessionId, _: String, _: SideChunk) -> BoxFuture<'_, Result<(), LogError>> {
        refused()
    }

    fn snapshot(&self, _: SessionId, version: u32) -> BoxFuture<'_, Result<Option<Snapshot>, LogError>> {
        let found = self.snapshot.clone().filter(|_| version == FOLD_VERSION);
        Box::pin(std::future::ready(Ok(found)))
    }

    fn side(&self, _: SessionId, _: String, _: u64) -> BoxFuture<'_, Result<Vec<SideChunk>, LogError>> {
        refused()
    }
}

fn refused<'a, T: Send + 'a>() -> BoxFuture<'a, Result<T, LogError>> {
    Box::pin(std::future::ready(Err(LogError::Io("it is only read".into()))))
}
