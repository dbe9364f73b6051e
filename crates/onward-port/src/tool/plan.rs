//! What is found out about a call before it runs.

use onward_event::{Access, Occupies, Place, Risk, Semantics};
use serde_json::Value;

use crate::Containment;

/// An input that fits the tool's schema.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedInput {
    /// In canonical form: what is recorded, judged, shown and run.
    pub input: Value,
    /// What the call touches; decides which calls may run in parallel.
    pub accesses: Vec<Access>,
    /// What the call takes up while it runs.
    pub occupies: Occupies,
}

/// What a call would do, found out without doing it.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolPlan {
    /// How dangerous it is.
    pub risk: Risk,
    /// What it can do to the world, and how that is recovered.
    pub semantics: Semantics,
    /// What it would touch, resolved, for people and for approvals.
    pub resources: Vec<String>,
    /// What a person is shown before they agree: the exact command and folder, or the change as a diff.
    pub preview: String,
    /// What it would do, for rules.
    pub effects: PlannedEffects,
}

/// What a call would do, in the terms of rules; paths are absolute and resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlannedEffects {
    /// Files and folders that it reads.
    pub reads: Vec<String>,
    /// Files and folders that it changes.
    pub writes: Vec<String>,
    /// The command that it runs.
    pub command: Option<PlannedCommand>,
}

/// A command as the model wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedCommand {
    /// The text, as a shell would read it.
    pub script: String,
    /// Where it would run; absolute and resolved.
    pub dir: String,
    /// Where programs are looked for, in this order: the `PATH` that it would have.
    pub path: Vec<String>,
}

/// Where a call would run under a supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Supervision {
    /// The machine, and this run of it.
    pub place: Place,
    /// Whether the call is to be answered as soon as its command runs.
    pub background: bool,
    /// How its command would be contained.
    pub containment: Containment,
}
