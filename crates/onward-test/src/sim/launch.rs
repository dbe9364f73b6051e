//! `launch`: a command under a supervisor, begun by one process and found again by another.

use std::time::Duration;

use onward_event::{
    FileAccess, Handle, JobEnd, NetworkAccess, Place, ResultMetadata, ResultStatus, Sandbox, Tier, ToolStart,
};
use onward_port::{
    Attached, Begun, Detached, Execution, ExecutionEnd, ExecutionResult, ExecutionSpec, Executor as _,
    Followed, NewArtifact, ToolFault, ToolIo, ToolOutcome, ToolReport,
};

use super::tools::{Input, SimTool};

/// How long a command may run.
const LIMIT: Duration = Duration::from_secs(12);

pub(super) async fn run(tool: &SimTool, input: &Input, start: &ToolStart, io: &ToolIo) -> ToolOutcome {
    let Some((name, _)) = execution(start) else {
        return ToolOutcome::Unknown { content: "it has no supervisor".into() };
    };
    if start.is_background() {
        return match tool.hand.begin(name, spec(input)).await {
            Begun::Yes => ToolOutcome::InBackground { command: command(input) },
            Begun::No(why) => ToolOutcome::Finished(ToolReport::fault(ToolFault::new("not_started", why))),
            Begun::Unknown(content) => ToolOutcome::Unknown { content },
        };
    }
    match tool.hand.run(name, spec(input), io.cancel.as_ref()).await {
        Execution::Ended(ExecutionResult { end: ExecutionEnd::Stopped, .. }) => {
            ToolOutcome::Cancelled { content: "stopped as a whole".into() }
        }
        Execution::Ended(result) => ToolOutcome::Finished(report(input, result, io)),
        Execution::NotBegun(why) => {
            ToolOutcome::Finished(ToolReport::fault(ToolFault::new("not_started", why)))
        }
        Execution::Unknown(content) => ToolOutcome::Unknown { content },
    }
}

pub(super) async fn attach(tool: &SimTool, input: &Input, start: &ToolStart, io: &ToolIo) -> Attached {
    let Some((name, place)) = execution(start) else {
        return Attached::Unknown { evidence: "it has no supervisor".into() };
    };
    match tool.hand.attach(name, place, io.cancel.as_ref()).await {
        Execution::Ended(ExecutionResult { end: ExecutionEnd::Stopped, .. }) => {
            Attached::Cancelled { content: "stopped as a whole".into() }
        }
        Execution::Ended(result) => Attached::Finished(report(input, result, io)),
        Execution::NotBegun(evidence) => Attached::NotBegun { evidence },
        Execution::Unknown(evidence) => Attached::Unknown { evidence },
    }
}

pub(super) async fn detach(tool: &SimTool, input: &Input, start: &ToolStart) -> Detached {
    let Some((name, place)) = execution(start) else {
        return Detached::Unknown { evidence: "it has no supervisor".into() };
    };
    match tool.hand.find(name, place).await {
        Begun::Yes => Detached::Begun { command: command(input) },
        Begun::No(evidence) => Detached::NotBegun { evidence },
        Begun::Unknown(evidence) => Detached::Unknown { evidence },
    }
}

pub(super) async fn follow(tool: &SimTool, input: &Input, start: &ToolStart, io: &ToolIo) -> Followed {
    let Some((name, place)) = execution(start) else {
        return Followed::Unknown { evidence: "it has no supervisor".into() };
    };
    match tool.hand.follow(name, place, io.cancel.as_ref()).await {
        Execution::Ended(result) => {
            let how = match result.end {
                ExecutionEnd::Exited(_) | ExecutionEnd::Signalled(_) => JobEnd::Completed,
                ExecutionEnd::TimedOut => JobEnd::TimedOut,
                ExecutionEnd::Stopped => JobEnd::Stopped,
            };
            let report = report(input, result, io);
            Followed::Ended { how, summary: format!("{how:?}"), report }
        }
        Execution::NotBegun(evidence) | Execution::Unknown(evidence) => Followed::Unknown { evidence },
    }
}

fn execution(start: &ToolStart) -> Option<(&str, &Place)> {
    match &start.handle {
        Handle::Supervised { name, place, .. } => Some((name, place)),
        Handle::InProcess => None,
    }
}

fn spec(input: &Input) -> ExecutionSpec {
    ExecutionSpec {
        sandbox: Sandbox {
            tier: Tier::None,
            files: FileAccess::WorkspaceWrite,
            network: NetworkAccess::Closed,
            writable: Vec::new(),
        },
        workspace: "/simulated".into(),
        argv: vec!["launch".into(), input.before.to_string(), input.after.to_string()],
        environment: Vec::new(),
        dir: "/simulated".into(),
        timeout: LIMIT,
        grace: Duration::from_secs(1),
        kept_bytes: 1 << 20,
        tail_bytes: 1 << 10,
    }
}

fn command(input: &Input) -> String {
    format!("launch {}", input.name)
}

fn report(input: &Input, result: ExecutionResult, io: &ToolIo) -> ToolReport {
    let artifact = NewArtifact {
        id: io.artifact,
        media_type: "text/plain".into(),
        summary: "what it said".into(),
        bytes: result.kept.into(),
    };
    let (status, metadata) = match result.end {
        ExecutionEnd::TimedOut => (ResultStatus::Timeout, ResultMetadata::default()),
        _ => (ResultStatus::Ok, ResultMetadata { bytes: result.total, ..ResultMetadata::default() }),
    };
    ToolReport {
        status,
        metadata,
        artifacts: vec![artifact],
        ..ToolReport::ok(format!("launch {}: ended", input.name))
    }
}
