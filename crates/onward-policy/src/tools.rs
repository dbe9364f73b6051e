//! What is known of the tools that there are: which files they can name, and what they can risk. A rule that asks of one
//! what it cannot do can match nothing.

use onward_event::Risk;

/// A tool of the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownTool {
    pub(crate) name: &'static str,
    /// Whether it names files that it reads.
    pub(crate) reads: bool,
    /// Whether it names files that it changes.
    pub(crate) writes: bool,
    /// Whether it runs commands.
    pub(crate) runs: bool,
}

const fn tool(name: &'static str, [reads, writes, runs]: [bool; 3]) -> KnownTool {
    KnownTool { name, reads, writes, runs }
}

/// All of them.
pub(crate) const TOOLS: &[KnownTool] = &[
    tool("edit", [false, true, false]),
    tool("glob", [true, false, false]),
    tool("grep", [true, false, false]),
    tool("job_cancel", [false, false, false]),
    tool("job_output", [false, false, false]),
    tool("job_wait", [false, false, false]),
    tool("jobs", [false, false, false]),
    tool("list", [true, false, false]),
    tool("read", [true, false, false]),
    tool("read_artifact", [false, false, false]),
    tool("shell", [true, true, true]),
    tool("write", [false, true, false]),
];

/// The beginning of the names of tools that servers offer.
pub(crate) const SERVERS: &str = "mcp:";

impl KnownTool {
    pub(crate) fn of(name: &str) -> Option<Self> {
        TOOLS.iter().find(|tool| tool.name == name).copied()
    }

    /// Whether its calls can have this risk.
    pub(crate) fn risks(self, risk: Risk) -> bool {
        match risk {
            _ if self.runs => true,
            Risk::Read => !self.writes,
            Risk::Write => self.writes,
            Risk::Shell | Risk::Network | Risk::Dangerous => false,
        }
    }
}

/// The names of the tools that rules can be about, beside those of servers.
pub fn tool_names() -> impl Iterator<Item = &'static str> {
    TOOLS.iter().map(|tool| tool.name)
}
