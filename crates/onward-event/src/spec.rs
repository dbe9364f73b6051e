//! What a session is set up with: the agent, its model, its limits, its workspace.

use crate::prelude::*;

/// How much the person allows without being asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Reading is free; writing, commands and network are asked about.
    #[default]
    Normal,
    /// As normal, and files of the workspace are edited without asking.
    AcceptEdits,
    /// Nothing is asked: writes in the workspace and commands run.
    Auto,
    /// Explore and propose: no effects.
    Plan,
    /// No effects.
    ReadOnly,
    /// Nothing is asked, whatever it is; what a rule denies stays denied. Only by an explicit flag.
    Bypass,
}

impl Mode {
    /// The name as it is written in configuration and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "normal",
            Self::AcceptEdits => "accept-edits",
            Self::Auto => "auto",
            Self::Plan => "plan",
            Self::ReadOnly => "read-only",
            Self::Bypass => "bypass",
        }
    }
}

/// What a million tokens cost, in millionths of a currency unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// A million tokens of request.
    pub input: u64,
    /// A million tokens of request that came from the provider's cache.
    pub cached: u64,
    /// A million tokens of answer.
    pub output: u64,
}

/// Which model, and what it can do: resolved when the setting is made, frozen for a step when the step starts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelConfig {
    /// The configured provider's name, which is also the adapter's key.
    pub provider: String,
    /// The provider's name for the model.
    pub model: String,
    /// Tokens that request and answer may have together.
    pub context_window: u64,
    /// Tokens that an answer may have; kept free in the window.
    pub max_output: u64,
    /// Sampling temperature in thousandths; the provider's default when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature_milli: Option<u32>,
    /// How hard a reasoning model should think, in the provider's own word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<String>,
    /// For budgets in money.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Price>,
}

impl ModelConfig {
    /// A model with the provider's defaults and without a price.
    pub fn new(
        provider: impl Into<String>,
        model: impl Into<String>,
        context_window: u64,
        max_output: u64,
    ) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            context_window,
            max_output,
            temperature_milli: None,
            reasoning_effort: None,
            price: None,
        }
    }
}

/// The named limits of a run: counted over all its turns, recoveries included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// Steps of one run.
    pub max_steps: u32,
    /// Tokens in and out of one run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Active seconds of one run: not those spent waiting for a person, nor those between a crash and its recovery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_seconds: Option<u64>,
    /// Cost of one run in millionths; needs a price in the model's configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_cost_micros: Option<u64>,
    /// Attempts at one prepared request, when the provider fails in a way that may pass.
    pub max_attempts: u32,
    /// Rejected outputs of one step.
    pub max_rejections: u32,
    /// The same failing call this often in a row ends the turn; a notice comes at 3 and at 5.
    pub max_repeated_calls: u32,
    /// Failing calls in a row, whatever they were, that end the turn.
    pub max_repeated_errors: u32,
    /// Calls refused in a row, by a rule, the mode or the person, that end the turn; four times as many in all do, too.
    #[serde(default = "default_max_denials", skip_serializing_if = "is_default_max_denials")]
    pub max_denials: u32,
    /// Times that one run may be continued automatically after a crash.
    pub max_recoveries: u32,
    /// Jobs of the session that run at the same time.
    #[serde(default = "default_max_jobs", skip_serializing_if = "is_default_max_jobs")]
    pub max_jobs: u32,
    /// What the scheduler gives out beside that.
    #[serde(default, skip_serializing_if = "ScheduleLimits::is_default")]
    pub schedule: ScheduleLimits,
}

/// The named limits of the scheduler: how much runs at once, how much waits, and how much there may be in all. Counted
/// in calls and jobs of one session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ScheduleLimits {
    /// Calls that are worked on at the same time. Calls that wait, for a person or for a job, are not among them.
    pub max_parallel_calls: u32,
    /// Calls of one answer that wait for a place; one more is answered with an error.
    pub max_queued_calls: u32,
    /// Calls that wait for the place of a job; one more is answered with an error.
    pub max_queued_jobs: u32,
    /// Jobs that a session begins in all; one more is answered with an error.
    pub max_session_jobs: u32,
}

impl ScheduleLimits {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

impl Default for ScheduleLimits {
    fn default() -> Self {
        Self { max_parallel_calls: 8, max_queued_calls: 64, max_queued_jobs: 0, max_session_jobs: 256 }
    }
}

/// A session of before refusals were counted has the same limit as a new one.
fn default_max_denials() -> u32 {
    Limits::default().max_denials
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_default_max_denials(denials: &u32) -> bool {
    *denials == default_max_denials()
}

/// A session of before there were jobs has the same limit as a new one.
fn default_max_jobs() -> u32 {
    Limits::default().max_jobs
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
fn is_default_max_jobs(jobs: &u32) -> bool {
    *jobs == default_max_jobs()
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 200,
            max_tokens: None,
            max_seconds: None,
            max_cost_micros: None,
            max_attempts: 5,
            max_rejections: 3,
            max_repeated_calls: 8,
            max_repeated_errors: 16,
            max_denials: 5,
            max_recoveries: 5,
            max_jobs: 8,
            schedule: ScheduleLimits::default(),
        }
    }
}

/// What becomes of the jobs of a session that still run when the work on it comes to its end: at rest, when the process
/// is told to end, and when a person leaves. It is the session's, so whoever takes it over follows the same rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JobsAtEnd {
    /// The owner waits for them, and goes on with what they bring. Told to end, it does not: they go on.
    #[default]
    Wait,
    /// They go on under their supervisors, for whoever owns the session next.
    Leave,
    /// They are ended: that is asked for on the log before the session is given back.
    Cancel,
}

impl JobsAtEnd {
    /// All there are, from what leaves least behind to what leaves most.
    pub const ALL: [Self; 3] = [Self::Cancel, Self::Wait, Self::Leave];

    /// The name as it is written in configuration and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wait => "wait",
            Self::Leave => "leave",
            Self::Cancel => "cancel",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this signature")]
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// What a session works with, as it was when the session was created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentSpec {
    /// The model.
    pub model: ModelConfig,
    /// Names of the tools that the model is offered, in the order in which it sees them.
    pub tools: Vec<String>,
    /// How much is allowed without asking.
    pub mode: Mode,
    /// The limits of a run.
    pub limits: Limits,
    /// What becomes of jobs when the work comes to its end.
    #[serde(default, skip_serializing_if = "JobsAtEnd::is_default")]
    pub jobs_at_end: JobsAtEnd,
}

/// Where a session works.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Workspace {
    /// The folder that file tools may touch; absolute.
    pub root: String,
    /// Where commands run and relative paths start; `root` or below it.
    pub dir: String,
}
