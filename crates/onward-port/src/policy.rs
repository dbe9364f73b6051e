//! Policy: may this call run? (seed, section 3)

use onward_event::{Mode, Risk, Verdict, Workspace};
use serde_json::Value;

use crate::ToolPlan;

/// A call, described once, for every rule.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRequest<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its version.
    pub version: &'a str,
    /// The canonical input.
    pub input: &'a Value,
    /// What the call would do.
    pub plan: &'a ToolPlan,
    /// The session's mode.
    pub mode: Mode,
    /// Where the session works.
    pub workspace: &'a Workspace,
}

/// What policy says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyDecision {
    /// Allow, ask or deny.
    pub verdict: Verdict,
    /// Names of the rules that decided.
    pub rules: Vec<String>,
    /// How dangerous the call is.
    pub risk: Risk,
    /// Why, in a sentence.
    pub reason: String,
    /// Whether it is the mode that denies, rather than a rule.
    pub by_mode: bool,
}

/// The rules in force.
pub trait Policy: Send + Sync {
    /// Changes whenever the rules do: a decision made on an older revision no longer counts.
    fn revision(&self) -> u64;

    /// Judges one call. The same request under the same revision always gives the same decision.
    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision;
}
