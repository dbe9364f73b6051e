//! `shell`: a command, run to its end or to its time limit, with everything that it started.
//!
//! - [`command`]: what is to run, and how.
//! - [`supervised`]: under a supervisor that outlives this process; there is no other way.
//! - [`capture`]: the output, bounded.
//! - [`answer`]: what the model is told; [`hint`]: that the sandbox may be why something failed.

mod answer;
mod capture;
mod command;
mod hint;
mod supervised;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use onward_event::{
    Access, AccessKind, Handle, Occupies, OnUnknown, Place, Recovery, Risk, Semantics, ToolStart,
};
use onward_port::{
    Attached, Detached, Executor, Followed, PlannedCommand, PlannedEffects, Supervision, ToolFault, ToolIo,
    ToolOutcome, ToolPlan, ToolReport,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::command::Command;
use super::plans::{HERE, folder_only};
use crate::blocking::blocking;
use crate::builtin::Context;
use crate::text;
use crate::typed::BuiltIn;

/// The longest command: Linux takes no longer argument (32 pages, its end included).
const MAX_COMMAND_BYTES: usize = (128 << 10) - 1;

/// Why a call that was recorded without an execution cannot be found again.
const NO_SUPERVISOR: &str = "it was not started under a supervisor";

/// The tool.
pub(crate) struct Shell {
    context: Arc<Context>,
    program: PathBuf,
    environment: Vec<(String, String)>,
    executor: Arc<dyn Executor>,
}

/// What the model sends.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ShellInput {
    command: String,
    /// Default: the working folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dir: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    timeout_seconds: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    background: bool,
}

impl Shell {
    /// Binds the tool.
    pub(crate) fn new(
        context: &Arc<Context>,
        program: PathBuf,
        environment: Vec<(String, String)>,
        executor: Arc<dyn Executor>,
    ) -> Self {
        Self { context: Arc::clone(context), program, environment, executor }
    }

    fn command<'a>(&'a self, input: &'a ShellInput, start: &'a ToolStart, folder: &'a str) -> Command<'a> {
        Command {
            rendered: start.rendered.as_ref(),
            sandbox: start.sandbox.as_ref(),
            workspace: self.context.files.paths().root(),
            program: &self.program,
            script: &input.command,
            folder,
            environment: &self.environment,
            time: self.time(input),
            limits: &self.context.limits,
        }
    }

    fn time(&self, input: &ShellInput) -> Duration {
        input.timeout_seconds.map_or(self.usual_time(input), Duration::from_secs)
    }

    fn usual_time(&self, input: &ShellInput) -> Duration {
        let limits = &self.context.limits;
        if input.background { limits.job_timeout } else { limits.shell_timeout }
    }

    fn longest_time(&self, input: &ShellInput) -> Duration {
        let limits = &self.context.limits;
        if input.background { limits.max_job_timeout } else { limits.max_shell_timeout }
    }

    /// Where the command's programs are looked for.
    fn search_path(&self) -> Vec<String> {
        let path = self.environment.iter().find(|(name, _)| name == "PATH");
        path.map_or_else(Vec::new, |(_, path)| path.split(':').map(str::to_owned).collect())
    }

    /// The execution that the call's handle names.
    fn execution<'a>(&'a self, start: &'a ToolStart) -> Option<(&'a dyn Executor, &'a str, &'a Place)> {
        match &start.handle {
            Handle::Supervised { name, place, .. } => Some((self.executor.as_ref(), name, place)),
            Handle::InProcess => None,
        }
    }
}

impl BuiltIn for Shell {
    type Input = ShellInput;
    const NAME: &'static str = "shell";
    const VERSION: &'static str = "1";

    fn description(&self) -> String {
        let limits = &self.context.limits;
        format!(
            "Runs a command with {} -c, without terminal and input; output and errors come in one stream. Beyond {} the \
             middle is cut, and read_artifact has it. It is ended after {} s unless told (at most {} s), and what it leaves \
             running is ended with it. For what takes long or runs until stopped, set background: the answer comes at once \
             and names a job, and you are told when that ends (after {} s unless told, at most {} s).",
            self.program.display(),
            text::size(limits.max_output_bytes as u64),
            limits.shell_timeout.as_secs(),
            limits.max_shell_timeout.as_secs(),
            limits.job_timeout.as_secs(),
            limits.max_job_timeout.as_secs()
        )
    }

    fn check(&self, input: &mut ShellInput) -> Result<Vec<Access>, Vec<String>> {
        let mut wrong = check_command(&input.command);
        let (usual, most) = (self.usual_time(input).as_secs(), self.longest_time(input).as_secs());
        if input.timeout_seconds.is_some_and(|seconds| seconds > most) {
            wrong.push(format!("`timeout_seconds` must be at most {most}"));
        }
        input.timeout_seconds = input.timeout_seconds.filter(|seconds| *seconds != usual);
        let paths = self.context.files.paths();
        match paths.place(input.dir.as_deref().unwrap_or(HERE)) {
            Ok(place) => input.dir = (place.shown != HERE).then_some(place.shown),
            Err(why) => wrong.push(format!("`dir`: {why}")),
        }
        if wrong.is_empty() {
            Ok(vec![Access { kind: AccessKind::Write, resource: paths.root() }])
        } else {
            Err(wrong)
        }
    }

    async fn plan(&self, input: ShellInput) -> Result<ToolPlan, ToolFault> {
        self.executor.containment().map_err(|why| ToolFault::new("no_sandbox", why))?;
        let folder = self.folder(&input).await?;
        let command =
            PlannedCommand { script: input.command.clone(), dir: folder.clone(), path: self.search_path() };
        let how = if input.background { "in the background, " } else { "" };
        let preview =
            format!("$ {}\nin {folder}, {how}for at most {} s", input.command, self.time(&input).as_secs());
        Ok(ToolPlan {
            risk: Risk::Shell,
            semantics: Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
            resources: vec![folder],
            preview,
            effects: PlannedEffects { command: Some(command), ..PlannedEffects::default() },
        })
    }

    async fn run(&self, input: ShellInput, start: &ToolStart, io: &ToolIo) -> ToolOutcome {
        let folder = match self.folder(&input).await {
            Ok(folder) => folder,
            Err(fault) => return ToolOutcome::Finished(ToolReport::fault(fault)),
        };
        let command = self.command(&input, start, &folder);
        let Some((executor, name, _)) = self.execution(start) else {
            let fault = ToolFault::new("internal", format!("{NO_SUPERVISOR}; nothing was run"));
            return ToolOutcome::Finished(ToolReport::fault(fault));
        };
        match start.is_background() {
            true => supervised::begin(executor, name, &command).await,
            false => supervised::run(executor, name, &command, io).await,
        }
    }

    fn occupies(&self, input: &ShellInput) -> Occupies {
        if input.background { Occupies::Job } else { Occupies::Slot }
    }

    fn supervision(&self, input: &ShellInput) -> Option<Supervision> {
        // Where there is no containment, `plan` has said so, and nothing runs.
        let containment = self.executor.containment().ok()?;
        Some(Supervision { place: self.executor.place(), background: input.background, containment })
    }

    async fn attach(&self, input: ShellInput, start: &ToolStart, io: &ToolIo) -> Attached {
        let Some((executor, name, place)) = self.execution(start) else {
            return Attached::Unknown { evidence: NO_SUPERVISOR.into() };
        };
        // Only for words: the command runs, or ran, where it was started.
        let folder = input.dir.clone().unwrap_or_else(|| HERE.into());
        supervised::attach(executor, name, place, &self.command(&input, start, &folder), io).await
    }

    async fn detach(&self, input: ShellInput, start: &ToolStart) -> Detached {
        let Some((executor, name, place)) = self.execution(start) else {
            return Detached::Unknown { evidence: NO_SUPERVISOR.into() };
        };
        supervised::detach(executor, name, place, &input.command).await
    }

    async fn follow(&self, input: ShellInput, start: &ToolStart, io: &ToolIo) -> Followed {
        let Some((executor, name, place)) = self.execution(start) else {
            return Followed::Unknown { evidence: NO_SUPERVISOR.into() };
        };
        let folder = input.dir.clone().unwrap_or_else(|| HERE.into());
        supervised::follow(executor, name, place, &self.command(&input, start, &folder), io).await
    }
}

impl Shell {
    /// The folder to run in, absolute and without symbolic links.
    ///
    /// This keeps a model from running in another folder by mistake. It confines nothing: that is up to the executor.
    async fn folder(&self, input: &ShellInput) -> Result<String, ToolFault> {
        // The working folder needs no look: starting in it fails if it is gone.
        let Some(dir) = input.dir.clone() else { return Ok(self.context.files.paths().working_folder()) };
        let context = Arc::clone(&self.context);
        let look = move || {
            let place =
                context.files.paths().place(&dir).map_err(|why| ToolFault::new("invalid_arguments", why))?;
            let found = context.files.find(&place)?;
            folder_only(&place.shown, &found)?;
            Ok(context.files.paths().absolute(&found.real))
        };
        blocking(look).await
    }
}

fn check_command(command: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    if command.trim().is_empty() {
        wrong.push("`command` must not be empty".into());
    }
    if command.contains('\0') {
        wrong.push("`command` cannot contain a NUL character".into());
    }
    if command.len() > MAX_COMMAND_BYTES {
        let limit = text::size(MAX_COMMAND_BYTES as u64);
        wrong.push(format!("`command` is longer than {limit}; write a script with `write`, and run that"));
    }
    wrong
}
