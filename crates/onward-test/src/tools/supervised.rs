//! `launch`: what runs under a supervisor goes on when the process dies, and is found again by its execution's name.
//! Here the ledger plays the supervisor: what has begun comes to its end, whoever looks. In the background it is a job.

use onward_event::{Handle, JobEnd, NetworkAccess, Place, Tier, ToolStart};
use onward_port::{Attached, Containment, Detached, Followed, ToolFault, ToolOutcome};

use super::kind::Kind;
use super::tool::{Input, LedgerTool};
use crate::crash::PointKind;

/// Where executions run.
pub(super) fn place() -> Place {
    Place { machine: "the test's".into(), boot: "1".into() }
}

/// Nothing contains executions of a test.
pub(super) fn containment() -> Containment {
    Containment { tier: Tier::None, network: NetworkAccess::Closed, writable: Vec::new() }
}

/// The ledger's line for the beginning of an execution.
pub(super) fn begins(start: &ToolStart) -> String {
    match &start.handle {
        Handle::Supervised { name, .. } => format!("launch-begin {name}"),
        Handle::InProcess => "launch-begin without a supervisor".into(),
    }
}

impl LedgerTool {
    /// What became of an execution.
    pub(super) fn find_execution(&self, name: &str, start: &ToolStart) -> Result<Attached, ToolFault> {
        match self.come_to_its_end(name, start)? {
            true => Ok(Attached::Finished(self.report(name))),
            false => Ok(Attached::NotBegun { evidence: NEVER.into() }),
        }
    }

    pub(super) fn is_background(&self, input: &Input) -> bool {
        self.kind == Kind::Launch && input.background
    }

    /// Begins a job, and does not wait for its end.
    pub(super) async fn begin(&self, name: &str, start: &ToolStart) -> ToolOutcome {
        if let Err(error) = self.ledger.write(&begins(start)) {
            return ToolOutcome::Unknown { content: format!("the ledger cannot be written: {error}") };
        }
        self.points.pass(PointKind::ToolDuring, self.kind.name()).await;
        ToolOutcome::InBackground { command: command(name) }
    }

    /// Whether a job has begun.
    pub(super) fn find_begun(&self, name: &str, start: &ToolStart) -> Result<Detached, ToolFault> {
        match self.ledger.lines().map_err(io)?.contains(&begins(start)) {
            true => Ok(Detached::Begun { command: command(name) }),
            false => Ok(Detached::NotBegun { evidence: NEVER.into() }),
        }
    }

    /// The end of a job.
    pub(super) fn end_of_job(&self, name: &str, start: &ToolStart) -> Result<Followed, ToolFault> {
        if !self.come_to_its_end(name, start)? {
            return Err(ToolFault::new("not_found", "the job never began"));
        }
        let (how, summary) = (JobEnd::Completed, "exit code 0".into());
        Ok(Followed::Ended { how, summary, report: self.report(name) })
    }

    /// What has begun ends, once. False when it has not begun.
    fn come_to_its_end(&self, name: &str, start: &ToolStart) -> Result<bool, ToolFault> {
        let lines = self.ledger.lines().map_err(io)?;
        let Some(at) = lines.iter().position(|line| *line == begins(start)) else { return Ok(false) };
        let line = format!("launch {name}");
        if !lines[at..].contains(&line) {
            self.ledger.write(&line).map_err(io)?;
        }
        Ok(true)
    }
}

/// Why an execution that has not begun never will.
const NEVER: &str = "the supervisor was kept from beginning";

fn command(name: &str) -> String {
    format!("launch {name}")
}

fn io(error: std::io::Error) -> ToolFault {
    ToolFault::new("io", error.to_string())
}
