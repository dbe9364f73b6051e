//! A command under a supervisor: begun here, or found again.

use onward_event::{JobEnd, Place};
use onward_port::{
    Attached, Begun, Detached, Execution, Executor, Followed, ToolFault, ToolIo, ToolOutcome, ToolReport,
};

use super::answer::{self, Answer};
use super::command::Command;

/// Begins the command and waits for its end.
pub(super) async fn run(
    executor: &dyn Executor,
    name: &str,
    command: &Command<'_>,
    io: &ToolIo,
) -> ToolOutcome {
    match executor.run(name, command.spec(), io.cancel.as_ref()).await {
        Execution::Ended(result) => match answer::ended(result, command, io.artifact) {
            Answer::Finished(report) => ToolOutcome::Finished(report),
            Answer::Cancelled { content } => ToolOutcome::Cancelled { content },
        },
        Execution::NotBegun(why) => not_started(command, &why),
        Execution::Unknown(why) => ToolOutcome::Unknown { content: format!("It was started; {why}.") },
    }
}

/// Finds the command again and waits for its end.
pub(super) async fn attach(
    executor: &dyn Executor,
    name: &str,
    place: &Place,
    command: &Command<'_>,
    io: &ToolIo,
) -> Attached {
    match executor.attach(name, place, io.cancel.as_ref()).await {
        Execution::Ended(result) => match answer::ended(result, command, io.artifact) {
            Answer::Finished(report) => Attached::Finished(report),
            Answer::Cancelled { content } => Attached::Cancelled { content },
        },
        Execution::NotBegun(evidence) => Attached::NotBegun { evidence },
        Execution::Unknown(evidence) => Attached::Unknown { evidence },
    }
}

/// Begins the command and does not wait for its end.
pub(super) async fn begin(executor: &dyn Executor, name: &str, command: &Command<'_>) -> ToolOutcome {
    match executor.begin(name, command.spec()).await {
        Begun::Yes => ToolOutcome::InBackground { command: answer::shortened(command.script) },
        Begun::No(why) => not_started(command, &why),
        Begun::Unknown(why) => ToolOutcome::Unknown { content: format!("It was started; {why}.") },
    }
}

/// Finds out whether the command has begun.
pub(super) async fn detach(executor: &dyn Executor, name: &str, place: &Place, command: &str) -> Detached {
    match executor.find(name, place).await {
        Begun::Yes => Detached::Begun { command: answer::shortened(command) },
        Begun::No(evidence) => Detached::NotBegun { evidence },
        Begun::Unknown(evidence) => Detached::Unknown { evidence },
    }
}

/// Waits for the end of the command, which goes on as a job.
pub(super) async fn follow(
    executor: &dyn Executor,
    name: &str,
    place: &Place,
    command: &Command<'_>,
    io: &ToolIo,
) -> Followed {
    match executor.follow(name, place, io.cancel.as_ref()).await {
        Execution::Ended(result) => answer::followed(result, command, io.artifact),
        Execution::NotBegun(why) => {
            let how = JobEnd::NotExecuted;
            let summary = format!("the command could not be executed: {why}; nothing was run");
            let report = ToolReport::fault(ToolFault::new("not_started", summary.as_str()));
            Followed::Ended { how, summary, report }
        }
        Execution::Unknown(evidence) => Followed::Unknown { evidence },
    }
}

fn not_started(command: &Command<'_>, why: &str) -> ToolOutcome {
    let message = format!("the command could not be started in `{}`: {why}; nothing was run", command.folder);
    ToolOutcome::Finished(ToolReport::fault(ToolFault::new("not_started", message)))
}
