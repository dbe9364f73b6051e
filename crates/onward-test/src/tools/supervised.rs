//! `launch`: what runs under a supervisor goes on when the process dies, and is found again by its execution's name.
//! Here the ledger plays the supervisor: what has begun comes to its end, whoever looks.

use onward_event::{Handle, NetworkAccess, Place, Tier, ToolStart};
use onward_port::{Attached, Containment, ToolFault};

use super::tool::LedgerTool;

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
        let io = |error: std::io::Error| ToolFault::new("io", error.to_string());
        let lines = self.ledger.lines().map_err(io)?;
        let Some(at) = lines.iter().position(|line| *line == begins(start)) else {
            return Ok(Attached::NotBegun { evidence: "the supervisor was kept from beginning".into() });
        };
        let line = format!("launch {name}");
        if !lines[at..].contains(&line) {
            self.ledger.write(&line).map_err(io)?;
        }
        Ok(Attached::Finished(self.report(name)))
    }
}
