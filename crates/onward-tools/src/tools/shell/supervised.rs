//! A command under a supervisor: begun here, or found again.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use onward_event::Place;
use onward_port::{
    Attached, Execution, ExecutionEnd, ExecutionResult, ExecutionSpec, Executor, ToolFault, ToolIo,
    ToolOutcome, ToolReport,
};

use super::answer;
use super::capture::Capture;
use super::execute::{Ended, How, Job, Left};

/// Begins the command and waits for its end.
pub(super) async fn run(executor: &dyn Executor, name: &str, job: &Job<'_>, io: &ToolIo) -> ToolOutcome {
    match executor.run(name, spec(job), io.cancel.as_ref()).await {
        Execution::Ended(result) => outcome(result, job, io),
        Execution::NotBegun(why) => {
            let message =
                format!("the command could not be started in `{}`: {why}; nothing was run", job.folder);
            ToolOutcome::Finished(ToolReport::fault(ToolFault::new("not_started", message)))
        }
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
        },
        Execution::NotBegun(evidence) => Attached::NotBegun { evidence },
        Execution::Unknown(evidence) => Attached::Unknown { evidence },
    }
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

fn spec(job: &Job<'_>) -> ExecutionSpec {
    let program = job.program.to_string_lossy().into_owned();
    ExecutionSpec {
        argv: vec![program, "-c".into(), job.command.into()],
        environment: job.environment.to_vec(),
        dir: job.folder.into(),
        timeout: job.time,
        grace: job.limits.kill_grace,
        kept_bytes: job.limits.max_artifact_bytes as u64,
        tail_bytes: job.limits.max_output_bytes as u64,
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
    Ended { how, left, output: Capture::of(result.kept, result.tail, result.total) }
}
