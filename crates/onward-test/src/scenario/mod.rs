//! Scenarios: what a person does, what the model says, and how it all ends, as data.
//!
//! ```toml
//! about = "one sentence"
//! mode = "auto"                          # as in the product; "auto" without it
//! tools = ["look"]                       # of the ledger's tools and the built-in ones
//! files = { "notes.txt" = "one\n" }      # what the workspace holds at the start
//! inputs = [                             # what a person sends
//!     { say = "look at it" },
//!     { say = "and at that", as = "steer", after = { event = "attempt/start", times = 1 } },
//!     { interrupt = true, after = { event = "tool/start" } },
//!     { mode = "read-only", after = { event = "owner/acquired", times = 2 } },
//! ]
//! pause_after = { event = "tool/start" } # the first owner that gets there ends in order, in the middle of its work
//! answers = ["approve", "session", { reject = "not that one" }]   # to the first question, the second, …
//! limits = { max_steps = 3 }
//! convergence_seconds = 0                # how long a call has to stop after an interrupt; as in the product without it
//!
//! [model]                                # a script of the scripted model
//! final = "done"
//! steps = [{ calls = [{ tool = "look", input = { name = "a" } }] }]
//!
//! [expect]
//! end = "completed final"                # the last turn's; or "waiting"
//! answer = "done"
//! effects = { "look a" = 1 }             # lines of the ledger
//! files = { "notes.txt" = "one\n" }
//!
//! [expect.crash.look]                    # at the first rest after a crash of this tool's calls; "finished" without it
//! committed = "finished"                 # the start was committed, and nothing was done
//! during = "finished"                    # a part was done
//! acted = "finished"                     # all was done, and nothing recorded
//! ```

mod expected;
mod input;

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, Result};
use onward_event::{AgentSpec, JobsAtEnd, Limits, Mode, ModelConfig, ResolvedVerdict, ScheduleLimits};
use onward_model::Script;
use serde::Deserialize;

pub use expected::{AfterCrash, Expected};
pub use input::Answer;
pub(crate) use input::{After, Input, What};

use crate::crash::PointKind;

/// One scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// Its file's name without the extension.
    #[serde(skip)]
    pub name: String,
    /// What it shows.
    pub about: String,
    #[serde(default = "auto")]
    mode: Mode,
    #[serde(default)]
    tools: Vec<String>,
    /// What the workspace holds at the start.
    #[serde(default)]
    pub(crate) files: BTreeMap<String, String>,
    pub(crate) inputs: Vec<Input>,
    #[serde(default)]
    pub(crate) answers: Vec<Answer>,
    /// How a person settles what is unknown.
    #[serde(default = "go_on")]
    pub(crate) settle: ResolvedVerdict,
    /// Once the owner has recorded this, it ends in order in the middle of its work, and another one goes on.
    pub(crate) pause_after: Option<After>,
    /// At the first question the owner leaves in order, and another one goes on.
    #[serde(default)]
    pub(crate) release_when_asked: bool,
    /// Attempts at each request whose arguments are damaged.
    #[serde(default)]
    pub(crate) garbled_attempts: u32,
    /// The first lives end at the first point of these kinds, one after the other.
    #[serde(default)]
    pub(crate) lives_end_at: Vec<LifeEndsAt>,
    #[serde(default)]
    limits: SomeLimits,
    /// How long a call has to stop after an interrupt.
    pub(crate) convergence_seconds: Option<u64>,
    #[serde(default = "window")]
    context_window: u64,
    model: toml::Table,
    /// How it ends.
    pub expect: Expected,
}

/// Where a life of a scenario ends by itself.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LifeEndsAt {
    ModelBefore,
    ToolBefore,
    ToolAfter,
}

/// Limits that differ from the default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct SomeLimits {
    max_steps: Option<u32>,
    max_tokens: Option<u64>,
    max_attempts: Option<u32>,
    max_repeated_errors: Option<u32>,
    max_denials: Option<u32>,
    max_jobs: Option<u32>,
    schedule: Option<ScheduleLimits>,
}

impl Scenario {
    /// Reads a scenario's file.
    ///
    /// # Errors
    /// What is wrong with it, with its path.
    pub fn load(path: &Path) -> Result<Self> {
        let at = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(at)?;
        let mut scenario: Self = toml::from_str(&text).with_context(at)?;
        scenario.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        scenario.script().with_context(at)?;
        Ok(scenario)
    }

    /// Whether lives of it end by themselves.
    pub fn crashes(&self) -> bool {
        !self.lives_end_at.is_empty()
    }

    /// What the model says.
    pub(crate) fn script(&self) -> Result<Script> {
        Ok(Script::from_toml(&toml::to_string(&self.model)?)?)
    }

    pub(crate) fn spec(&self) -> AgentSpec {
        AgentSpec {
            model: ModelConfig::new("scripted", "script", self.context_window, 1_000),
            tools: self.tools.clone(),
            mode: self.mode,
            limits: self.limits.over(Limits::default()),
            jobs_at_end: JobsAtEnd::default(),
        }
    }
}

impl SomeLimits {
    fn over(&self, default: Limits) -> Limits {
        Limits {
            max_steps: self.max_steps.unwrap_or(default.max_steps),
            max_tokens: self.max_tokens.or(default.max_tokens),
            max_attempts: self.max_attempts.unwrap_or(default.max_attempts),
            max_repeated_errors: self.max_repeated_errors.unwrap_or(default.max_repeated_errors),
            max_denials: self.max_denials.unwrap_or(default.max_denials),
            max_jobs: self.max_jobs.unwrap_or(default.max_jobs),
            schedule: self.schedule.clone().unwrap_or_default(),
            ..default
        }
    }
}

impl LifeEndsAt {
    pub(crate) fn kind(self) -> PointKind {
        match self {
            Self::ModelBefore => PointKind::ModelBefore,
            Self::ToolBefore => PointKind::ToolBefore,
            Self::ToolAfter => PointKind::ToolAfter,
        }
    }
}

fn auto() -> Mode {
    Mode::Auto
}

fn go_on() -> ResolvedVerdict {
    ResolvedVerdict::GoOn
}

fn window() -> u64 {
    100_000
}
