//! A session that is long enough for a stored fold, and the owners after the one that stored it: on the real store.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use onward_core::Session;
use onward_event::{
    AgentSpec, By, JobsAtEnd, Limits, Mode, ModelConfig, Part, Seq, SessionId, Target, Workspace,
};
use onward_model::ScriptedModel;
use onward_policy::LayeredPolicy;
use onward_port::{BoxFuture, ForwardLog, Log, LogError, Model, StoredRecord, ToolSet};
use onward_runtime::{
    Client, GivenBack, Live, Owner, Ports, Quiet, RuntimeConfig, check_session, load_records,
};
use onward_sqlite::{OpenOptions, SqliteStore};
use onward_test::{CountingIds, SteppingClock};
use onward_tools::AgentDocuments;
use tempfile::TempDir;

/// Records whose hashes are verified at the end of the log, whatever is stored.
const TAIL: usize = 5;

/// A log that remembers after which positions it was read.
struct Watched {
    inner: SqliteStore,
    reads: Mutex<Vec<Seq>>,
}

impl ForwardLog for Watched {
    fn inner(&self) -> &dyn Log {
        &self.inner
    }

    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        self.reads.lock().unwrap().push(after);
        self.inner.read(session, after, limit)
    }
}

/// What outlives the owners.
pub(crate) struct World {
    folder: TempDir,
    clock: Arc<SteppingClock>,
    ids: Arc<CountingIds>,
}

/// A process that owns the session.
pub(crate) struct Process {
    pub(crate) store: SqliteStore,
    log: Arc<Watched>,
    pub(crate) ports: Ports,
    pub(crate) client: Client,
}

impl World {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), clock: Arc::default(), ids: Arc::default() }
    }

    pub(crate) fn process(&self, answer: &str) -> Process {
        let store = SqliteStore::open(OpenOptions::new(self.folder.path().join("store"))).unwrap();
        let log = Arc::new(Watched { inner: store.clone(), reads: Mutex::default() });
        let script = serde_json::from_value(serde_json::json!({ "final": answer })).unwrap();
        let model: Arc<dyn Model> = Arc::new(ScriptedModel::new(script));
        let ports = Ports {
            redactor: onward_port::Redactor::default(),
            log: log.clone(),
            blobs: Arc::new(store.clone()),
            models: BTreeMap::from([("scripted".to_owned(), model)]),
            encoder: onward_model::encoder,
            tools: Arc::new(|_| Ok(ToolSet::new([]))),
            policy: Arc::new(LayeredPolicy::new()),
            documents: Arc::new(AgentDocuments),
            instructions: "You are a test.".into(),
            executor: None,
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        };
        let by = By { principal: "tester".into(), channel: "test".into() };
        let client = Client::new(ports.log.clone(), ports.clock.clone(), ports.ids.clone(), by);
        Process { store, log, ports, client }
    }

    pub(crate) fn spec() -> AgentSpec {
        let model = ModelConfig::new("scripted", "m", 100_000, 1_000);
        AgentSpec {
            model,
            tools: Vec::new(),
            mode: Mode::Auto,
            limits: Limits::default(),
            jobs_at_end: JobsAtEnd::default(),
        }
    }

    pub(crate) fn workspace(&self) -> Workspace {
        let root = self.folder.path().display().to_string();
        Workspace { dir: root.clone(), root }
    }

    /// Where a ledger may be.
    pub(crate) fn ledger(&self) -> std::path::PathBuf {
        self.folder.path().join("ledger")
    }

    /// A session of some turns, whose fold was stored when its owner came to rest.
    async fn session(&self) -> SessionId {
        let process = self.process("First.");
        let session = process.client.create(Self::spec(), self.workspace()).await.unwrap();
        for _ in 0..4 {
            process.turn(session).await;
        }
        process.store.close();
        session
    }

    /// Does something to what is stored of the fold.
    fn sql(&self, statement: &str) {
        let path = self.folder.path().join("store/onward.db");
        let changed = rusqlite::Connection::open(path).unwrap().execute(statement, []).unwrap();
        assert_eq!(changed, 1, "{statement}");
    }

    /// Where the stored fold ends.
    fn stored(&self) -> u64 {
        let conn = rusqlite::Connection::open(self.folder.path().join("store/onward.db")).unwrap();
        conn.query_row("SELECT seq FROM snapshots", [], |row| row.get::<_, i64>(0)).unwrap().unsigned_abs()
    }
}

impl Process {
    async fn own(&self, session: SessionId) -> Owner {
        let config = RuntimeConfig {
            owner: "test".into(),
            verified_tail: TAIL,
            snapshot_every: 10,
            ..RuntimeConfig::default()
        };
        Owner::acquire(self.ports.clone(), config, session, Live::new()).await.unwrap()
    }

    /// One more turn, and what the owner knew at its start.
    async fn turn(&self, session: SessionId) -> String {
        let mut owner = self.own(session).await;
        let known = format!("{:?}", owner.session());
        let content = vec![Part::text("and then?")];
        self.client.send(session, content, Target::NextTurn, true).await.unwrap();
        assert_eq!(owner.drive().await.unwrap(), Quiet::Idle);
        assert!(matches!(owner.release().await.unwrap(), GivenBack::Done));
        known
    }

    /// The session as the whole log says it is, up to the record by which it was taken last.
    async fn replayed(&self, session: SessionId) -> String {
        let records = load_records(&self.store, session, Seq(0)).await.unwrap();
        let acquired =
            records.iter().rposition(|(record, _)| record.event.kind() == "owner/acquired").unwrap();
        format!("{:?}", Session::replay(records[..=acquired].iter().map(|(record, _)| record)).unwrap())
    }

    fn first_read(&self) -> Seq {
        self.log.reads.lock().unwrap()[0]
    }
}

/// The next owner knows what the log says, goes on, and leaves a log that is as it should be.
async fn goes_on(world: &World, session: SessionId) -> Seq {
    let process = world.process("Then.");
    let known = process.turn(session).await;
    let first_read = process.first_read();
    assert_eq!(known, process.replayed(session).await);
    let report = check_session(&process.ports, session, Vec::new()).await.unwrap();
    assert!(report.is_clean(), "{:?}", report.violations);
    process.store.close();
    first_read
}

fn store_is_kept(folder: &Path) -> bool {
    folder.join("store/onward.db").exists()
}

#[tokio::test]
async fn the_next_owner_starts_from_the_stored_fold_and_goes_on() {
    let world = World::new();
    let session = world.session().await;
    let stored = world.stored();
    assert!(stored > 20, "{stored}");
    let from = goes_on(&world, session).await;
    assert!(from.0 + TAIL as u64 + 5 > stored && from.0 > 0, "read from {from} on, stored up to {stored}");
    assert!(world.stored() > stored, "and stores it again");
    assert!(store_is_kept(world.folder.path()));
}

#[tokio::test]
async fn a_stored_fold_that_cannot_be_trusted_is_ignored_and_replaced() {
    for damage in [
        "UPDATE snapshots SET version = version + 1",
        "UPDATE snapshots SET hash = zeroblob(32)",
        "UPDATE snapshots SET seq = seq - 1",
        "UPDATE snapshots SET state = CAST('{}' AS BLOB)",
        "UPDATE snapshot_pieces SET bytes = CAST('[]' AS BLOB) WHERE n = 0",
    ] {
        let world = World::new();
        let session = world.session().await;
        world.sql(damage);
        assert_eq!(goes_on(&world, session).await, Seq(0), "{damage}");
        assert!(goes_on(&world, session).await > Seq(0), "{damage}: the next one starts from a new one");
    }
}
