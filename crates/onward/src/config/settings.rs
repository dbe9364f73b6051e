//! The configuration as a whole: for each value, where it comes from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use onward_event::{JobsAtEnd, Limits, Mode, ModelConfig};
use onward_tools::ToolLimits;

use super::environment::Environment;
use super::limits::LimitSettings;
use super::model::{ModelName, ModelSettings, no_model};
use super::paths;
use super::provider::{Access, Provider, builtin_providers, no_such_provider};
use super::sandbox::SandboxSettings;
use super::secret::SecretRef;
use super::source::Sourced;
use crate::error::CliError;

/// Modes by their names, from the strictest to the freest.
pub(crate) const MODES: [Mode; 5] = [Mode::ReadOnly, Mode::Plan, Mode::Normal, Mode::AcceptEdits, Mode::Auto];

/// Everything that can be set.
#[derive(Clone, Debug)]
pub(crate) struct Config {
    /// The model to work with.
    pub(crate) model: Option<Sourced<ModelName>>,
    /// What is allowed without asking.
    pub(crate) mode: Sourced<Mode>,
    /// Where sessions are kept; none when nothing says so and there is no home folder.
    pub(crate) data_dir: Option<Sourced<PathBuf>>,
    /// How models are reached, by name.
    pub(crate) providers: BTreeMap<String, Provider>,
    /// What is known about models.
    pub(crate) models: BTreeMap<ModelName, ModelSettings>,
    /// What becomes of jobs that still run at the end of the work.
    pub(crate) jobs_at_end: Sourced<JobsAtEnd>,
    /// The limits of a run.
    pub(crate) limits: LimitSettings,
    /// How commands run.
    pub(crate) shell: ShellSettings,
    /// How commands are contained.
    pub(crate) sandbox: SandboxSettings,
    /// Names of the tools that the model is offered; all there are when absent.
    pub(crate) tools: Option<Sourced<Vec<String>>>,
}

/// How commands run.
#[derive(Clone, Debug)]
pub(crate) struct ShellSettings {
    /// The program that reads a command.
    pub(crate) program: Sourced<PathBuf>,
    /// How long a command may take when the model does not say, in seconds.
    pub(crate) timeout_seconds: Sourced<u64>,
    /// How long a supervisor may take beyond the limits of its command, in seconds; past it, it does not answer.
    pub(crate) supervisor_margin_seconds: Sourced<u64>,
    /// Names of the variables that commands see beside the harmless ones.
    pub(crate) env_pass: Sourced<Vec<String>>,
}

impl Config {
    /// What holds when nobody says anything.
    pub(crate) fn builtin(environment: &Environment) -> Self {
        Self {
            model: None,
            mode: Sourced::default_value(Mode::default()),
            data_dir: paths::default_data_dir(environment).map(Sourced::default_value),
            providers: builtin_providers(),
            models: BTreeMap::new(),
            jobs_at_end: Sourced::default_value(JobsAtEnd::default()),
            limits: LimitSettings::default(),
            shell: ShellSettings {
                program: Sourced::default_value("/bin/sh".into()),
                timeout_seconds: Sourced::default_value(ToolLimits::default().shell_timeout.as_secs()),
                supervisor_margin_seconds: Sourced::default_value(15),
                env_pass: Sourced::default_value(Vec::new()),
            },
            sandbox: SandboxSettings::default(),
            tools: None,
        }
    }

    /// The model to work with, and what is known about it.
    ///
    /// # Errors
    /// When no model is set, or its figures cannot be.
    pub(crate) fn model_config(&self, environment: &Environment) -> Result<ModelConfig, CliError> {
        let model = self.model.as_ref().ok_or_else(|| no_model(environment))?;
        if !self.providers.contains_key(&model.value.provider) {
            return Err(no_such_provider(&model.value.provider, Some(&model.source), self.providers.keys()));
        }
        let unknown = ModelSettings::default();
        self.models.get(&model.value).unwrap_or(&unknown).resolve(&model.value)
    }

    /// How the provider of this name is reached, with its secrets.
    ///
    /// # Errors
    /// When there is no such provider, something it needs is not set, or a secret cannot be read.
    pub(crate) fn access(&self, provider: &str, environment: &Environment) -> Result<Access, CliError> {
        match self.providers.get(provider) {
            Some(found) => found.access(provider, environment),
            None => Err(no_such_provider(provider, None, self.providers.keys())),
        }
    }

    /// The files that secrets are read from.
    pub(crate) fn secret_files(&self) -> Vec<PathBuf> {
        let references = self.providers.values().flat_map(Provider::secret_references);
        let files = references.filter_map(|reference| match reference {
            SecretRef::File(path) => Some(path.clone()),
            SecretRef::Env(_) => None,
        });
        files.collect()
    }

    /// The limits of a run.
    pub(crate) fn limits(&self) -> Limits {
        self.limits.resolve()
    }

    /// Where sessions are kept.
    ///
    /// # Errors
    /// When nothing says so and there is no home folder.
    pub(crate) fn data_dir(&self) -> Result<&PathBuf, CliError> {
        self.data_dir.as_ref().map(|dir| &dir.value).ok_or_else(paths::no_data_dir)
    }
}

/// The mode of this name.
pub(crate) fn mode_named(name: &str) -> Option<Mode> {
    MODES.into_iter().find(|mode| mode.name() == name)
}

/// What becomes of jobs at the end, by its name.
pub(crate) fn jobs_rule_named(name: &str) -> Option<JobsAtEnd> {
    JobsAtEnd::ALL.into_iter().find(|rule| rule.name() == name)
}

/// How much a mode allows: more is freer. The two that allow no effects are equals.
pub(super) fn freedom(mode: Mode) -> u8 {
    match mode {
        Mode::ReadOnly | Mode::Plan => 0,
        Mode::Normal => 1,
        Mode::AcceptEdits => 2,
        Mode::Auto => 3,
        Mode::Bypass => 4,
    }
}
