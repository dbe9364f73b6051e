//! Everything that a command works with.

use std::collections::BTreeMap;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use onward_event::{AgentSpec, By, JobsAtEnd, SessionId, Tier, Workspace};
use onward_policy::LayeredPolicy;
use onward_port::{Executor, Log, LogError, Policy, Redactor, SessionSummary};
use onward_runtime::{
    Client, Ports, RedactedExecutor, RedactedLog, RuntimeConfig, SystemClock, ToolFactory, UuidIds,
};
use onward_sandbox::{SandboxSetup, SupervisedExecutor};
use onward_sqlite::{OpenOptions, SqliteStore};
use onward_tools::{AgentDocuments, ToolLimits, ToolsConfig, builtin, builtin_names};

use super::models::models_of;
use super::rules::{rules_for, rules_to_stop};
use super::session::find_session;
use super::{sandbox_setup, shell_environment};
use crate::args::{Named, SettingArgs};
use crate::config::{Config, Environment, Source, Sourced, network_name};
use crate::error::{CliError, ErrorKind};
use crate::policy::{OwnedLayer, PolicyFiles, SuspendedPolicy};
use crate::render::out::hide;

/// What the model is told about itself and its work.
const INSTRUCTIONS: &str = include_str!("../instructions.md");

/// Through what a person speaks here.
const CHANNEL: &str = "cli";

/// The word that makes this program the supervisor of a command; nobody types it.
pub(crate) const SUPERVISOR: &str = "supervise-command";

/// This program, even when its file is replaced by a newer one.
pub(crate) const SELF: &str = "/proc/self/exe";

/// Configuration, store, and the ports made from both.
pub(crate) struct App {
    pub(crate) config: Config,
    /// What is wrong with the files and variables that the configuration is from: it is no base for work then.
    pub(crate) fault: Option<CliError>,
    pub(crate) environment: Environment,
    pub(crate) store: SqliteStore,
    /// How this program is called for the same store, for hints that can be typed as they stand.
    pub(crate) program: String,
    /// The ports, without a model and with the built-in rules alone: [`App::ports_for`] makes those of work.
    pub(crate) ports: Ports,
    /// Where rules are.
    pub(crate) policy_files: PolicyFiles,
    /// Layers of rules that no file holds.
    pub(crate) more_rules: Vec<OwnedLayer>,
    pub(crate) client: Client,
}

impl App {
    /// Opens the store and makes the ports.
    ///
    /// # Errors
    /// When the store cannot be opened.
    pub(crate) fn open(config: Config, environment: Environment) -> Result<Self, CliError> {
        let folder = config.data_dir()?.clone();
        let store = open_store(&folder).map_err(store_error)?;
        let redactor = config.redactor(&environment);
        hide(redactor.clone());
        let setup = sandbox_setup(&config, &environment)?;
        let margin = Duration::from_secs(config.shell.supervisor_margin_seconds.value);
        let executor = executor(&folder, setup, margin, &redactor)?;
        let ports = Ports {
            log: Arc::new(RedactedLog::new(Arc::new(store.clone()), redactor.clone())),
            blobs: Arc::new(store.clone()),
            models: BTreeMap::new(),
            encoder: onward_model::encoder,
            tools: tool_factory(&config, &environment, executor.clone()),
            executor: Some(executor),
            policy: Arc::new(LayeredPolicy::default()),
            documents: Arc::new(AgentDocuments),
            instructions: INSTRUCTIONS.into(),
            redactor,
            clock: Arc::new(SystemClock),
            ids: Arc::new(UuidIds),
        };
        let by = By { principal: principal(&environment), channel: CHANNEL.into() };
        let client = Client::new(ports.log.clone(), ports.clock.clone(), ports.ids.clone(), by);
        let (program, policy_files) = (program(&config), PolicyFiles::of(&environment));
        let (fault, more_rules) = (None, Vec::new());
        Ok(Self { config, fault, environment, store, program, ports, policy_files, more_rules, client })
    }

    /// The ports for work in a workspace: with its rules, and the models of this provider.
    ///
    /// # Errors
    /// When the configuration or a file of rules is wrong, or the provider cannot be set up.
    pub(crate) fn ports_for(&self, provider: &str, workspace: &Workspace) -> Result<Ports, CliError> {
        if let Some(fault) = &self.fault {
            return Err(fault.clone());
        }
        let rules = rules_for(&self.policy_files, self.config.data_dir()?, workspace, &self.more_rules)?;
        let models = models_of(provider, &self.config, &self.environment)?;
        Ok(Ports { models, policy: Arc::new(rules), ..self.ports.clone() })
    }

    /// As [`App::ports_for`], for what only stops things: wrong rules do not hinder it, and neither does a wrong
    /// configuration: everything is asked about then, and there may be no model.
    ///
    /// # Errors
    /// When the provider cannot be set up although the configuration is right, or trust cannot be looked up.
    pub(crate) fn ports_to_stop(&self, provider: &str, workspace: &Workspace) -> Result<Ports, CliError> {
        let data = self.config.data_dir()?;
        let rules = rules_to_stop(&self.policy_files, data, workspace, &self.more_rules)?;
        let models = match (models_of(provider, &self.config, &self.environment), &self.fault) {
            (Err(_), Some(_)) => BTreeMap::new(),
            (models, _) => models?,
        };
        let policy: Arc<dyn Policy> = match &self.fault {
            Some(fault) => Arc::new(SuspendedPolicy::new(rules, &fault.message)),
            None => Arc::new(rules),
        };
        Ok(Ports { models, policy, ..self.ports.clone() })
    }

    /// What answers questions where nobody is there to do so.
    pub(crate) fn unattended(&self) -> Client {
        let by = By { principal: principal(&self.environment), channel: By::UNATTENDED.into() };
        Client::new(self.ports.log.clone(), self.ports.clock.clone(), self.ports.ids.clone(), by)
    }

    /// What a new session is set up with.
    ///
    /// # Errors
    /// When no model is set.
    pub(crate) fn spec(
        &self,
        settings: &SettingArgs,
        jobs: Option<JobsAtEnd>,
    ) -> Result<AgentSpec, CliError> {
        let tools = match &self.config.tools {
            Some(named) => known_tools(named)?,
            None => builtin_names().into_iter().map(str::to_owned).collect(),
        };
        let model = self.config.model_config(&self.environment)?;
        if self.config.limits().max_cost_micros.is_some() && model.price.is_none() {
            let message = format!("a budget of money needs the price of {}/{}", model.provider, model.model);
            return Err(CliError::new(ErrorKind::Config, message)
                .with_hint("set `price` in its [models] section, or leave `cost` out of the budget"));
        }
        let mode = settings.chosen_mode().unwrap_or(self.config.mode.value);
        let jobs_at_end = jobs.unwrap_or(self.config.jobs_at_end.value);
        Ok(AgentSpec { model, tools, mode, limits: self.config.limits(), jobs_at_end })
    }

    /// How commands are contained, in a line for people.
    pub(crate) fn containment(&self) -> String {
        match self.ports.executor.as_ref().map(|executor| executor.containment()) {
            Some(Ok(offered)) if offered.tier == Tier::None => {
                "sandbox: none (waived); a command can do what you can do".to_owned()
            }
            Some(Ok(offered)) => {
                format!("sandbox: {} · network {}", offered.tier.name(), network_name(offered.network))
            }
            Some(Err(why)) => format!("sandbox: {why}"),
            None => "sandbox: no commands are run".to_owned(),
        }
    }

    /// How an owner in this process behaves.
    pub(crate) fn runtime(&self) -> RuntimeConfig {
        RuntimeConfig { owner: format!("process {}", std::process::id()), ..RuntimeConfig::default() }
    }

    /// All sessions, the latest first.
    ///
    /// # Errors
    /// As the store says.
    pub(crate) async fn sessions(&self) -> Result<Vec<SessionSummary>, CliError> {
        self.store.sessions().await.map_err(store_error)
    }

    /// The session of this id, or the latest one of this folder.
    ///
    /// # Errors
    /// When there is none.
    pub(crate) async fn find(
        &self,
        id: Option<Named<SessionId>>,
        dir: &Path,
    ) -> Result<SessionSummary, CliError> {
        find_session(self.sessions().await?, id, dir)
    }
}

/// Where nothing can be written, or records are missing from the end, what there is can still be looked at: whatever would
/// write is refused by the store.
fn open_store(folder: &Path) -> Result<SqliteStore, LogError> {
    SqliteStore::open(OpenOptions::new(folder)).or_else(|error| match error {
        LogError::ReadOnly { .. } | LogError::Cut(_) => {
            SqliteStore::open_read_only(folder).map_err(|_| error)
        }
        _ => Err(error),
    })
}

/// A failure of the store, for people.
pub(crate) fn store_error(error: LogError) -> CliError {
    let kind = match &error {
        LogError::Owned { .. } => ErrorKind::Owned,
        LogError::NoSession(_) => ErrorKind::NotFound,
        _ => ErrorKind::Store,
    };
    CliError::new(kind, error.to_string())
}

/// Commands run under this very program, called by other words.
fn executor(
    data: &Path,
    setup: SandboxSetup,
    margin: Duration,
    redactor: &Redactor,
) -> Result<Arc<dyn Executor>, CliError> {
    let base = data.join("executions");
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(&base).map_err(|error| {
        CliError::new(ErrorKind::Store, format!("the folder {} cannot be made: {error}", base.display()))
    })?;
    let executor = SupervisedExecutor::new(base, SELF.into(), vec![SUPERVISOR.into()], setup);
    Ok(Arc::new(RedactedExecutor::new(Arc::new(executor.with_margin(margin)), redactor.clone())))
}

/// Makes the tools for a workspace.
pub(crate) fn tool_factory(
    config: &Config,
    environment: &Environment,
    executor: Arc<dyn Executor>,
) -> ToolFactory {
    let limits = ToolLimits {
        shell_timeout: Duration::from_secs(config.shell.timeout_seconds.value),
        ..ToolLimits::default()
    };
    let shell: PathBuf = config.shell.program.value.clone();
    let variables = shell_environment(environment, &config.shell.env_pass.value);
    Arc::new(move |workspace| {
        let config = ToolsConfig {
            shell: shell.clone(),
            environment: variables.clone(),
            executor: executor.clone(),
            limits: limits.clone(),
        };
        builtin(config, workspace).map_err(|error| error.to_string())
    })
}

/// The named tools, if there are such.
fn known_tools(named: &Sourced<Vec<String>>) -> Result<Vec<String>, CliError> {
    let names = builtin_names();
    match named.value.iter().find(|name| !names.contains(&name.as_str())) {
        None => Ok(named.value.clone()),
        Some(unknown) => {
            let message = format!("{}: there is no tool `{unknown}`", named.source);
            Err(CliError::new(ErrorKind::Config, message)
                .with_hint(format!("the tools are: {}", names.join(", "))))
        }
    }
}

/// A store that was named by an option must be named again in every hint.
fn program(config: &Config) -> String {
    match &config.data_dir {
        Some(dir) if matches!(dir.source, Source::Flag(_)) => {
            format!("onward --data-dir {}", quoted(&dir.value.to_string_lossy()))
        }
        _ => "onward".to_owned(),
    }
}

/// A word for a POSIX shell.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@%".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn principal(environment: &Environment) -> String {
    environment.var("USER").or_else(|| environment.var("LOGNAME")).unwrap_or("user").to_owned()
}
