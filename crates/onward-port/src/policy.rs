//! Policy: may this call run? (seed, section 3)

use onward_event::{
    Digest, FileAccess, FileState, Mode, NetworkAccess, Rendered, Risk, Timestamp, Verdict, Workspace,
};
use serde_json::Value;

use crate::{Containment, ToolPlan};

/// A call, described once, for every rule.
#[derive(Clone, Copy, Debug)]
pub struct PolicyRequest<'a> {
    /// The tool.
    pub tool: &'a str,
    /// Its version.
    pub version: &'a str,
    /// Over what it takes ([`crate::definition_digest`]).
    pub definition: Digest,
    /// The canonical input.
    pub input: &'a Value,
    /// What the call would do.
    pub plan: &'a ToolPlan,
    /// The session's mode.
    pub mode: Mode,
    /// Where the session works.
    pub workspace: &'a Workspace,
    /// How the executor would contain the call's command; `None` for a call that runs inside the runtime.
    pub containment: Option<&'a Containment>,
    /// When it is judged: answers that were saved may count until a moment only.
    pub now: Timestamp,
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
    /// What the call's command may reach when it runs. At most what [`Containment`] offers.
    pub reach: Reach,
    /// What runs in place of the text that the model wrote; `None`: the text itself, by the shell.
    pub rendered: Option<Rendered>,
    /// The files that the call names, as they are now: an approval holds only as long as they stay so.
    pub files: Vec<FileState>,
    /// Over what the rules say that ask, `None` when none does: an approval holds only as long as they stay so.
    pub rules_digest: Option<Digest>,
    /// The rule that "always" would save, as it would stand in the person's file.
    pub always: Option<String>,
}

/// What a command may reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// What it may change.
    pub files: FileAccess,
    /// Whether it may speak to other machines.
    pub network: NetworkAccess,
}

/// The rules in force.
pub trait Policy: Send + Sync {
    /// Changes whenever the rules do: a decision made on an older revision no longer counts.
    fn revision(&self) -> u64;

    /// Judges one call. The same request under the same revision always gives the same decision, as long as the files
    /// that it names do not change. May read files (to resolve programs, and to hash what the call names), of bounded
    /// number and size.
    fn decide(&self, request: &PolicyRequest<'_>) -> PolicyDecision;
}
