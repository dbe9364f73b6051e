//! The demo's stage: folders, script, and the application on them.

use std::path::{Path, PathBuf};

use onward_event::{AgentSpec, JobsAtEnd, Limits, Mode, ModelConfig, Part, SessionId, Target, Workspace};
use onward_policy::Layer;
use onward_port::Executor as _;
use onward_sandbox::SupervisedExecutor;

use super::repository;
use crate::args::CrashPoint;
use crate::compose::{App, SELF, SUPERVISOR, find_workspace, sandbox_setup, store_error};
use crate::config::{Config, Environment, Overrides, load};
use crate::error::{CliError, ErrorKind};
use crate::policy::OwnedLayer;

/// Where a demo plays.
pub(super) struct Stage {
    folder: PathBuf,
}

impl Stage {
    /// Makes the repository.
    pub(super) fn build(folder: &Path, crash: Option<CrashPoint>) -> Result<Self, CliError> {
        let stage = Self::at(folder);
        let slow = crash == Some(CrashPoint::Shell);
        repository::write(&stage.repository(), slow).map_err(|error| {
            let message = format!("the demo's repository cannot be written to {}: {error}", folder.display());
            CliError::new(ErrorKind::Usage, message)
        })?;
        Ok(stage)
    }

    /// A stage that exists.
    pub(super) fn at(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn repository(&self) -> PathBuf {
        self.folder.join("repository")
    }

    pub(super) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    pub(super) fn workspace(&self) -> Result<Workspace, CliError> {
        find_workspace(&self.repository())
    }

    /// The application on the stage's own data folder.
    pub(super) fn app(&self, environment: &Environment) -> Result<App, CliError> {
        // The demo does not depend on how somebody has configured their work.
        let bare = Environment {
            vars: environment
                .vars
                .iter()
                .filter(|(name, _)| !is_ours(name))
                .map(|(k, v)| (k.clone(), v.clone()))
                .collect(),
            home: None,
            cwd: self.repository(),
        };
        let overrides = Overrides { data_dir: Some(self.data()), ..Overrides::default() };
        let config = load(&bare, &self.repository(), &overrides, None)?;
        if self.can_contain(&config, &bare)? {
            return App::open(config, bare);
        }
        let waived = Overrides { sandbox: Some("none".into()), ..overrides };
        let mut app = App::open(load(&bare, &self.repository(), &waived, None)?, bare)?;
        app.more_rules.push(own_command());
        Ok(app)
    }

    /// Whether this machine contains commands.
    fn can_contain(&self, config: &Config, environment: &Environment) -> Result<bool, CliError> {
        let setup = sandbox_setup(config, environment)?;
        let base = self.data().join("executions");
        let executor = SupervisedExecutor::new(base, SELF.into(), vec![SUPERVISOR.into()], setup);
        Ok(executor.containment().is_ok())
    }

    /// Begins the demo's session: the task is in its inbox, and nobody works on it yet.
    pub(super) async fn begin(&self, environment: &Environment) -> Result<SessionId, CliError> {
        let app = self.app(environment)?;
        let session = app.client.create(self.spec(), self.workspace()?).await.map_err(store_error)?;
        let task = vec![Part::Text(super::TASK.into())];
        app.client.send(session, task, Target::NextTurn, true).await.map_err(store_error)?;
        app.store.close();
        Ok(session)
    }

    fn spec(&self) -> AgentSpec {
        AgentSpec {
            model: ModelConfig::new(super::PROVIDER, "fix-price", 100_000, 4_000),
            tools: ["read", "list", "glob", "grep", "write", "edit", "shell", "read_artifact"]
                .map(str::to_owned)
                .into(),
            mode: Mode::Auto,
            limits: Limits::default(),
            jobs_at_end: JobsAtEnd::default(),
        }
    }
}

/// Where nothing contains it, no mode lets the demo's only command run unasked; it is the demo's own, so a rule does.
fn own_command() -> OwnedLayer {
    let text = "\
[[rule]]
id = \"demo-test\"
effect = \"allow\"
argv = [\"sh\", \"test.sh\"]
sandbox = \"none\"
reason = \"it is the demo's own\"
";
    OwnedLayer { layer: Layer::User, name: "the demo".into(), text: text.into() }
}

fn is_ours(name: &str) -> bool {
    name.starts_with("ONWARD_") || name == "XDG_CONFIG_HOME"
}
