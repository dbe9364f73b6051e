//! A command under a supervisor: begun here, or found again.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use onward_event::{FileAccess, NetworkAccess, Place, Rendered, Sandbox, Tier};
use onward_port::{
    Attached, Begun, Detached, Execution, ExecutionEnd, ExecutionResult, ExecutionSpec, Executor, Followed,
    FollowedEnd, ToolFault, ToolIo, ToolOutcome, ToolReport,
};

use super::answer;
use super::capture::Capture;
use super::execute::{Ended, How, Job, Left};

/// Begins the command and waits for its end.
pub(super) async fn run(executor: &dyn Executor, name: &str, job: &Job<'_>, io: &ToolIo) -> ToolOutcome {
    match executor.run(name, spec(job), io.cancel.as_ref()).await {
        Execution::Ended(result) => outcome(result, job, io),
        Execution::NotBegun(why) => not_started(job, &why),
        Execution::Unknown(why) => ToolOutcome::Unknown { content: format!("It was started; {why}.") },
    }
}

/// Finds the command again and waits for its end.
pub(super) async fn attach(
    executor: &dyn Executor,
    name: &str,
    place: &Place,
    job: &Job<'_>,
    io: &ToolIo,
) -> Attached {
    match executor.attach(name, place, io.cancel.as_ref()).await {
        Execution::Ended(result) => match outcome(result, job, io) {
            ToolOutcome::Finished(report) => Attached::Finished(report),
            ToolOutcome::Cancelled { content } => Attached::Cancelled { content },
            ToolOutcome::Unknown { content } => Attached::Unknown { evidence: content },
            ToolOutcome::InBackground(detached) => Attached::Begun(detached),
        },
        Execution::NotBegun(evidence) => Attached::NotBegun { evidence },
        Execution::Unknown(evidence) => Attached::Unknown { evidence },
    }
}

/// Begins the command and does not wait for its end.
pub(super) async fn begin(executor: &dyn Executor, name: &str, job: &Job<'_>) -> ToolOutcome {
    match executor.begin(name, spec(job)).await {
        Begun::Yes => ToolOutcome::InBackground(detached(job.command)),
        Begun::No(why) => not_started(job, &why),
        Begun::Unknown(why) => ToolOutcome::Unknown { content: format!("It was started; {why}.") },
    }
}

/// Finds out whether the command has begun.
pub(super) async fn detach(executor: &dyn Executor, name: &str, place: &Place, command: &str) -> Attached {
    match executor.find(name, place).await {
        Begun::Yes => Attached::Begun(detached(command)),
        Begun::No(evidence) => Attached::NotBegun { evidence },
        Begun::Unknown(evidence) => Attached::Unknown { evidence },
    }
}

/// Waits for the end of the command, which goes on as a job.
pub(super) async fn follow(
    executor: &dyn Executor,
    name: &str,
    place: &Place,
    job: &Job<'_>,
    io: &ToolIo,
) -> Followed {
    match executor.follow(name, place, io.cancel.as_ref()).await {
        Execution::Ended(result) => {
            let millis = result.millis;
            answer::followed(ended(result), job, io.artifact, millis)
        }
        Execution::NotBegun(why) => {
            let how = FollowedEnd::NotExecuted;
            let summary = format!("the command could not be executed: {why}; nothing was run");
            let report = ToolReport::fault(ToolFault::new("not_started", summary.as_str()));
            Followed::Ended { how, summary, report }
        }
        Execution::Unknown(evidence) => Followed::Unknown { evidence },
    }
}

fn detached(command: &str) -> Detached {
    Detached { command: answer::shortened(command) }
}

/// The answer, with the time that the command itself took.
fn outcome(result: ExecutionResult, job: &Job<'_>, io: &ToolIo) -> ToolOutcome {
    let millis = result.millis;
    let mut outcome = answer::outcome(ended(result), job, io.artifact);
    if let ToolOutcome::Finished(report) = &mut outcome {
        report.metadata.millis = millis;
    }
    outcome
}

fn not_started(job: &Job<'_>, why: &str) -> ToolOutcome {
    let message = format!("the command could not be started in `{}`: {why}; nothing was run", job.folder);
    ToolOutcome::Finished(ToolReport::fault(ToolFault::new("not_started", message)))
}

fn spec(job: &Job<'_>) -> ExecutionSpec {
    ExecutionSpec {
        argv: argv(job),
        sandbox: job.sandbox.cloned().unwrap_or(UNCONTAINED),
        workspace: job.workspace.clone(),
        environment: job.environment.to_vec(),
        dir: job.folder.into(),
        timeout: job.time,
        grace: job.limits.kill_grace,
        kept_bytes: job.limits.max_artifact_bytes as u64,
        tail_bytes: job.limits.max_output_bytes as u64,
    }
}

/// What a `tool/start` means that was recorded before commands were contained.
const UNCONTAINED: Sandbox = Sandbox {
    tier: Tier::None,
    files: FileAccess::WorkspaceWrite,
    network: NetworkAccess::Open,
    writable: Vec::new(),
};

fn argv(job: &Job<'_>) -> Vec<String> {
    let by_shell =
        |script: &str| vec![job.program.to_string_lossy().into_owned(), "-c".into(), script.into()];
    match job.rendered {
        Some(Rendered::Argv(argv)) => argv.clone(),
        Some(Rendered::Script(script)) => by_shell(script),
        None => by_shell(job.command),
    }
}

fn ended(result: ExecutionResult) -> Ended {
    let how = match result.end {
        ExecutionEnd::Exited(code) => How::Exited(ExitStatus::from_raw(code << 8)),
        ExecutionEnd::Signalled(signal) => How::Exited(ExitStatus::from_raw(signal)),
        ExecutionEnd::TimedOut => How::TimedOut,
        ExecutionEnd::Stopped => How::Cancelled,
    };
    let left = if result.left_behind { Left::Ended } else { Left::Nothing };
    let output = Capture::of(result.kept, result.tail, result.total);
    Ended { how, left, output, restored: result.restored }
}
