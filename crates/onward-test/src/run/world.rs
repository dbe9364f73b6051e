//! The world of a scenario: what outlives the process. Its store, its workspace, its ledger, its clock.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context as _, Result, bail};
use onward_core::Session;
use onward_event::{By, MessageId, Seq, SessionId, Workspace};
use onward_model::ScriptedModel;
use onward_policy::LayeredPolicy;
use onward_port::{Blobs, Log, Model, Redactor, Tool, ToolSet};
use onward_runtime::{Client, Ports, ToolFactory, check_session, load_records};
use onward_sqlite::{OpenOptions, SqliteStore};
use onward_tools::{ToolLimits, ToolsConfig, builtin};
use tempfile::TempDir;

use super::End;
use super::documents::PunctualDocuments;
use super::life::{Life, LifeEnd};
use super::outcome::Run;
use super::person::{Acknowledged, Person};
use crate::clock::SteppingClock;
use crate::crash::{CrashPlan, CrashingModel, CrashingTool, GarblingModel, Point, Points};
use crate::direct::DirectExecutor;
use crate::ids::CountingIds;
use crate::ledger::Ledger;
use crate::scenario::Scenario;
use crate::tools::ledger_tools;

/// Lives after which a scenario is taken to go on for ever.
const MAX_LIVES: usize = 12;

/// A file system in memory, where there is one: the tests are about order, not about the speed of a disk.
const IN_MEMORY: &str = "/dev/shm";

/// Everything that outlives a process.
pub struct World {
    folder: TempDir,
    ledger: Ledger,
    clock: Arc<SteppingClock>,
    ids: Arc<CountingIds>,
    acknowledged: Acknowledged,
    pub(super) session: Option<SessionId>,
    /// The owner has left in order once.
    pub(super) left: bool,
    /// A person was needed to say what became of a call.
    pub(super) unknown: bool,
}

/// Runs a scenario to its end. The first life ends at the first plan's point, the second at the second's, and so on;
/// lives beyond the plans end in order.
///
/// # Errors
/// When something in the runtime or around it fails; a wrong outcome is no error here, see [`super::verify`].
pub fn run(scenario: &Scenario, plans: &[CrashPlan]) -> Result<Run> {
    let mut world = World::new(scenario)?;
    let mut lives = Vec::new();
    let ends = scenario.lives_end_at.iter().map(|at| CrashPlan::AtFirst(at.kind()));
    let mut plans = ends.chain(plans.iter().copied());
    while lives.len() < MAX_LIVES {
        let points = Arc::new(Points::new(plans.next().unwrap_or(CrashPlan::Never)));
        let end = world.live(scenario, &points)?;
        lives.push(points.passed());
        if let LifeEnd::Rest(end, answer) = end {
            return world.close(scenario, lives, end, answer);
        }
    }
    bail!("`{}` does not come to rest in {MAX_LIVES} lives", scenario.name)
}

impl World {
    fn new(scenario: &Scenario) -> Result<Self> {
        let folder = tempfile::tempdir_in(IN_MEMORY).or_else(|_| tempfile::tempdir())?;
        let workspace = folder.path().join("workspace");
        std::fs::create_dir(&workspace)?;
        for (name, content) in &scenario.files {
            std::fs::write(workspace.join(name), content).with_context(|| name.clone())?;
        }
        Ok(Self {
            ledger: Ledger::new(folder.path().join("ledger")),
            folder,
            clock: Arc::default(),
            ids: Arc::default(),
            acknowledged: Arc::default(),
            session: None,
            left: false,
            unknown: false,
        })
    }

    pub(super) fn workspace(&self) -> Workspace {
        let root = self.folder.path().join("workspace").display().to_string();
        Workspace { dir: root.clone(), root }
    }

    /// The ports of one life.
    pub(super) fn ports(
        &self,
        scenario: &Scenario,
        log: Arc<dyn Log>,
        store: &SqliteStore,
        points: &Arc<Points>,
    ) -> Result<Ports> {
        let scripted: Arc<dyn Model> = Arc::new(ScriptedModel::new(scenario.script()?));
        let garbling = Arc::new(GarblingModel::new(scripted, scenario.garbled_attempts));
        let model: Arc<dyn Model> = Arc::new(CrashingModel::new(garbling, points.clone()));
        let blobs: Arc<dyn Blobs> = Arc::new(store.clone());
        Ok(Ports {
            log,
            blobs,
            models: BTreeMap::from([("scripted".to_owned(), model)]),
            encoder: onward_model::encoder,
            tools: tool_factory(&self.ledger, points),
            policy: Arc::new(LayeredPolicy::new()),
            documents: Arc::new(PunctualDocuments),
            instructions: "You are a test.".into(),
            executor: None,
            redactor: Redactor::default(),
            clock: self.clock.clone(),
            ids: self.ids.clone(),
        })
    }

    fn open(&self) -> Result<SqliteStore> {
        Ok(SqliteStore::open(OpenOptions::new(self.folder.path().join("store")))?)
    }

    /// One life, in an async runtime of its own: dropping that drops every task, wherever it stands.
    fn live(&mut self, scenario: &Scenario, points: &Arc<Points>) -> Result<LifeEnd> {
        let store = self.open()?;
        let runtime = async_runtime()?;
        let by = By { principal: "tester".into(), channel: "test".into() };
        let client = Client::new(Arc::new(store.clone()), self.clock.clone(), self.ids.clone(), by);
        let person = Arc::new(Person {
            client,
            inputs: scenario.inputs.clone(),
            acknowledged: self.acknowledged.clone(),
            points: points.clone(),
            heard: Mutex::default(),
            pause_after: scenario.pause_after.clone().filter(|_| !self.left),
            stopper: Mutex::default(),
            mouth: Default::default(),
        });
        let mut life = Life { world: self, scenario, points: points.clone(), store: store.clone(), person };
        let end = runtime.block_on(life.live());
        drop(runtime);
        store.close();
        end
    }

    /// Reads what was left, and has it checked.
    fn close(self, scenario: &Scenario, lives: Vec<Vec<Point>>, end: End, answer: String) -> Result<Run> {
        let Some(session) = self.session else { bail!("there is no session") };
        let store = self.open()?;
        let points = Arc::new(Points::new(CrashPlan::Never));
        let ports = self.ports(scenario, Arc::new(store.clone()), &store, &points)?;
        let runtime = async_runtime()?;
        let records = runtime.block_on(load_records(&store, session, Seq(0)))?;
        let report = runtime.block_on(check_session(&ports, session, Vec::new()))?;
        drop(runtime);
        store.close();
        let acknowledged = self.acknowledged.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Run {
            end,
            answer,
            lives,
            unknown: self.unknown,
            session: Session::replay(records.iter().map(|(record, _)| record))?,
            records,
            report,
            ledger: self.ledger.lines()?,
            files: scenario.expect.files.keys().map(|name| self.file(name)).collect(),
            acknowledged: acknowledged.values().flatten().copied().collect(),
            unsent: unsent_messages(scenario, &acknowledged),
            workspace: self.folder.path().join("workspace"),
        })
    }

    fn file(&self, name: &str) -> (String, Option<String>) {
        let path = self.folder.path().join("workspace").join(name);
        (name.to_owned(), std::fs::read_to_string(path).ok())
    }
}

/// An interrupt may lose its point when a crash comes first; a message never does.
fn unsent_messages(scenario: &Scenario, acknowledged: &BTreeMap<usize, Option<MessageId>>) -> usize {
    let messages = scenario.inputs.iter().enumerate().filter(|(_, input)| input.is_message());
    messages.filter(|(at, _)| !acknowledged.contains_key(at)).count()
}

fn async_runtime() -> Result<tokio::runtime::Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// The ledger's tools and the built-in ones, each with its points.
fn tool_factory(ledger: &Ledger, points: &Arc<Points>) -> ToolFactory {
    let (ledger, points) = (ledger.clone(), points.clone());
    Arc::new(move |workspace: &Workspace| {
        let built_in = builtin(tools_config(ledger.path()), workspace).map_err(|error| error.to_string())?;
        let own = ledger_tools(&ledger, &points);
        let crashing =
            |tool: Arc<dyn Tool>| -> Arc<dyn Tool> { Arc::new(CrashingTool::new(tool, points.clone())) };
        Ok(ToolSet::new(own.into_iter().chain(built_in.iter().cloned()).map(crashing)))
    })
}

/// Commands find the ledger in their environment.
fn tools_config(ledger: &Path) -> ToolsConfig {
    let environment =
        vec![("LEDGER".into(), ledger.display().to_string()), ("PATH".into(), "/usr/bin:/bin".into())];
    let executor = Arc::new(DirectExecutor);
    ToolsConfig { shell: "/bin/sh".into(), environment, executor, limits: ToolLimits::default() }
}
