//! A store and everything that sessions in it work with.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use onward_event::{AgentSpec, By, JobsAtEnd, Limits, Mode, ModelConfig, Part, SessionId, Target, Workspace};
use onward_policy::LayeredPolicy;
use onward_port::{BoxFuture, Documents, FoundDocuments, Model, Tool, ToolSet};
use onward_runtime::{Client, Live, Owner, Ports, Quiet, RuntimeConfig, SystemClock, UuidIds};
use onward_sqlite::{OpenOptions, SqliteStore};

use super::model::InstantModel;
use super::tool::Noop;

const PROVIDER: &str = "instant";

/// An open store.
#[derive(Clone)]
pub(crate) struct Desk {
    ports: Ports,
    client: Client,
    store: SqliteStore,
    config: RuntimeConfig,
}

impl Desk {
    /// The store in this folder.
    pub(crate) fn open(folder: &Path) -> anyhow::Result<Self> {
        let store = SqliteStore::open(OpenOptions::new(folder))?;
        let ports = Ports {
            log: Arc::new(store.clone()),
            blobs: Arc::new(store.clone()),
            models: BTreeMap::new(),
            encoder: onward_model::encoder,
            tools: Arc::new(|_| Ok(ToolSet::new([Arc::new(Noop::new()) as Arc<dyn Tool>]))),
            policy: Arc::new(LayeredPolicy::default()),
            documents: Arc::new(NoDocuments),
            instructions: "Call the tool as often as the script says.".into(),
            redactor: onward_port::Redactor::default(),
            executor: None,
            clock: Arc::new(SystemClock),
            ids: Arc::new(UuidIds),
        };
        let by = By { principal: "bench".into(), channel: "bench".into() };
        let client = Client::new(ports.log.clone(), ports.clock.clone(), ports.ids.clone(), by);
        let config = RuntimeConfig { owner: "bench".into(), ..RuntimeConfig::default() };
        Ok(Self { ports, client, store, config })
    }

    /// The same, where the fold of a session is never stored.
    pub(crate) fn without_stored_folds(mut self) -> Self {
        self.config.snapshot_every = u64::MAX;
        self
    }

    /// The store alone.
    pub(crate) fn store(&self) -> &SqliteStore {
        &self.store
    }

    /// A new session.
    pub(crate) async fn create(&self) -> anyhow::Result<SessionId> {
        let model = ModelConfig::new(PROVIDER, "counting", 1_000_000_000, 8_000);
        let limits = Limits { max_steps: u32::MAX, ..Limits::default() };
        let spec = AgentSpec {
            model,
            tools: vec!["noop".into()],
            mode: Mode::Bypass,
            limits,
            jobs_at_end: JobsAtEnd::default(),
        };
        let workspace = Workspace { root: "/".into(), dir: "/".into() };
        Ok(self.client.create(spec, workspace).await?)
    }

    /// Owns a session, with a model that calls the tool so many times a turn.
    pub(crate) async fn own(&self, session: SessionId, steps: u64) -> anyhow::Result<Owner> {
        let model: Arc<dyn Model> = Arc::new(InstantModel::new(steps));
        let ports = Ports { models: [(PROVIDER.to_owned(), model)].into(), ..self.ports.clone() };
        Ok(Owner::acquire(ports, self.config.clone(), session, Live::new()).await?)
    }

    /// Sends a message: the reason for one more turn.
    pub(crate) async fn ask(&self, session: SessionId) -> anyhow::Result<()> {
        let task = vec![Part::text("Do the scripted steps.")];
        self.client.send(session, task, Target::NextTurn, true).await?;
        Ok(())
    }
}

/// Drives until nothing is left to do.
pub(crate) async fn drive(owner: &mut Owner) -> anyhow::Result<()> {
    match owner.drive().await? {
        Quiet::Idle => Ok(()),
        Quiet::Waiting(waits) => bail!("the session waits for somebody: {waits:?}"),
        Quiet::Stopped => bail!("the session was stopped"),
    }
}

struct NoDocuments;

impl Documents for NoDocuments {
    fn load<'a>(&'a self, _: &'a Workspace) -> BoxFuture<'a, FoundDocuments> {
        Box::pin(std::future::ready(FoundDocuments::default()))
    }
}
