//! One rule, as data. Whether it matches is decided in [`crate::matching`], and only there.

use std::fmt::{self, Write as _};

use onward_event::{Mode, Risk, Verdict};

use crate::globs::PathGlobs;
use crate::layer::Origin;
use crate::pattern::ArgvPattern;

/// A rule: when every condition that it names holds, its effect counts. A condition that it does not name holds.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Recorded with every decision that it made, and named by grants; unique over all layers.
    pub id: String,
    /// Allow, ask or deny.
    pub effect: Verdict,
    /// Where it stands.
    pub origin: Origin,
    /// Why, for people and for the model; may be empty.
    pub reason: String,
    /// The tools that it is about.
    pub tool: Option<ToolPattern>,
    /// The commands that it is about, by argument vector.
    pub argv: Option<ArgvPattern>,
    /// The program must be one of these files, after links are followed; empty: any.
    pub program: Vec<String>,
    /// Paths. *Allow*: all that is read lies in these. *Ask* and *deny*: any does.
    pub read: Option<PathGlobs>,
    /// The same for what is changed.
    pub write: Option<PathGlobs>,
    /// Whether what it lets run may reach the network.
    pub network: bool,
    /// The modes that it holds in; empty: all.
    pub modes: Vec<Mode>,
    /// The risks that it holds for; empty: all.
    pub risks: Vec<Risk>,
    /// The containment that it gives.
    pub sandbox: Option<RuleSandbox>,
    /// Whether a grant may answer what an administrator asks.
    pub grantable: bool,
    /// Conditions that only the built-in rules have.
    pub special: Vec<Special>,
}

/// Tools, by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolPattern {
    /// This one.
    Exact(String),
    /// All whose names start so; written with a `*` at the end.
    Prefix(String),
}

/// What a rule gives a command to run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RuleSandbox {
    /// A sandbox in which nothing can be changed.
    ReadOnly,
    /// A sandbox in which the workspace can be changed.
    WorkspaceWrite,
    /// The rule holds also where nothing contains the command. Where something does, it is as `WorkspaceWrite`.
    Uncontained,
}

/// What only built-in rules can say, because it takes code to find out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Special {
    /// The command is on the short list of those that only look.
    Harmless,
    /// The command only runs others, all of which were found and are judged themselves.
    Wraps,
    /// The command is known to speak to other machines.
    Speaks,
    /// A script that was not understood counts too.
    Opaque,
    /// A tool reads or anything writes outside the workspace and its temporary folders.
    Outside,
    /// A file that would be changed has a second name, which may lie anywhere.
    HardLink,
    /// A file of the workspace would be changed, or may be, whose name makes programs run on the person's side.
    Protected,
    /// The call has no effects, and its tool says so in two ways.
    Effectless,
    /// A call counts too that does not name the files that it touches.
    Unnamed,
    /// In modes in which something may change, the command may also stand beside others that change the workspace.
    Beside,
}

impl ToolPattern {
    /// Whether this tool is meant.
    pub fn matches(&self, tool: &str) -> bool {
        match self {
            Self::Exact(name) => tool == name,
            Self::Prefix(start) => tool.starts_with(start.as_str()),
        }
    }
}

/// As it is written.
impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact(name) => f.write_str(name),
            Self::Prefix(start) => write!(f, "{start}*"),
        }
    }
}

impl RuleSandbox {
    /// The word for it in a file.
    pub fn name(self) -> &'static str {
        match self {
            Self::ReadOnly => "read-only",
            Self::WorkspaceWrite => "workspace-write",
            Self::Uncontained => "none",
        }
    }
}

impl Special {
    /// The word for it in the built-in file.
    pub(crate) const NAMES: &[(&str, Self)] = &[
        ("harmless", Self::Harmless),
        ("wraps", Self::Wraps),
        ("speaks", Self::Speaks),
        ("opaque", Self::Opaque),
        ("outside", Self::Outside),
        ("hard-link", Self::HardLink),
        ("protected", Self::Protected),
        ("effectless", Self::Effectless),
        ("unnamed", Self::Unnamed),
        ("beside", Self::Beside),
    ];
}

impl Rule {
    /// Whether it has this built-in condition.
    pub(crate) fn is(&self, special: Special) -> bool {
        self.special.contains(&special)
    }

    /// All that it says, without its words and its place: two rules with the same text decide alike. What approvals and
    /// grants are bound to.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let Self { id, effect, origin, reason: _, tool, argv, program, read, write, .. } = self;
        let Self { network, modes, risks, sandbox, grantable, special, .. } = self;
        let (read, write) = (read.as_ref().map(PathGlobs::patterns), write.as_ref().map(PathGlobs::patterns));
        // Writing to a String cannot fail.
        let _ = write!(text, "{id:?} {effect:?} {:?} {tool:?} {argv:?} {program:?} ", origin.layer);
        let _ = write!(
            text,
            "{read:?} {write:?} {network} {modes:?} {risks:?} {sandbox:?} {grantable} {special:?}"
        );
        text
    }
}
