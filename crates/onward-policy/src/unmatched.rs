//! The asks that are there for want of a rule. They are no rules, so that a person's *allow* can lift them; they have
//! ids, so that a grant can name them.

use onward_event::Risk;

use crate::call::{Kind, Part};

/// An ask for want of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unmatched {
    /// Recorded with the decision, and named by grants.
    pub(crate) id: &'static str,
    /// Why a person is asked.
    pub(crate) reason: &'static str,
}

const fn unmatched(id: &'static str, reason: &'static str) -> Unmatched {
    Unmatched { id, reason }
}

const READ: Unmatched = unmatched("read-ask", "no rule lets this be read");
const WRITE: Unmatched = unmatched("write-ask", "no rule lets files change here without asking");
const SHELL: Unmatched = unmatched("shell-ask", "no rule lets this command run without asking");
const NETWORK: Unmatched = unmatched("network-ask", "it speaks to other machines");
const DANGEROUS: Unmatched = unmatched("dangerous-ask", "it may destroy what cannot be brought back");
const OPAQUE: Unmatched = unmatched("opaque-ask", "what it runs cannot be known before it runs");
const HIDES: Unmatched = unmatched("hidden-ask", "what it runs depends on its input or surroundings");
const OTHER: Unmatched = unmatched("unmatched-ask", "no rule says whether this may be done");

/// The ids of all asks that are there for want of a rule.
pub const UNMATCHED_IDS: &[&str] =
    &[READ.id, WRITE.id, SHELL.id, NETWORK.id, DANGEROUS.id, OPAQUE.id, HIDES.id, OTHER.id, MIXED.id];

/// Commands that may use the network together with commands that may not: they would share it.
pub(crate) const MIXED: Unmatched = unmatched(
    "mixed-network-ask",
    "some of its commands may use the network and some may not, and they would share it",
);

/// The ask for this part.
pub(crate) fn of(part: &Part) -> Unmatched {
    match (part.kind, part.risk()) {
        (Kind::Opaque, _) => OPAQUE,
        (Kind::Command, Risk::Dangerous) => DANGEROUS,
        (Kind::Command, _) if part.command.as_ref().is_some_and(|command| !command.known) => HIDES,
        (Kind::Command | Kind::Tool, Risk::Network) => NETWORK,
        (Kind::Command, _) | (Kind::Tool, Risk::Shell) => SHELL,
        (Kind::Read, _) => READ,
        (Kind::Write, _) | (Kind::Tool, Risk::Write) => WRITE,
        (Kind::Tool, Risk::Dangerous) => DANGEROUS,
        (Kind::Tool, Risk::Read) => OTHER,
    }
}
