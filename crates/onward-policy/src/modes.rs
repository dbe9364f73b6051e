//! What a mode makes of a verdict: a ceiling in *plan* and *read-only*, a floor in *bypass*. What *accept-edits* and
//! *auto* allow are ordinary built-in rules.

use onward_event::Mode;

use crate::call::{Call, Kind, Part, is_effectless};
use crate::rule::{Rule, RuleSandbox};

/// The id under which *bypass* lets something run that would be asked about.
pub(crate) const BYPASS: &str = "mode-bypass";

/// A mode that lets nothing change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ceiling {
    /// Recorded with the decision.
    pub(crate) id: &'static str,
    /// For the model: what it may do instead.
    pub(crate) reason: &'static str,
}

const PLAN: Ceiling = Ceiling {
    id: "mode-plan",
    reason: "plan mode is for reading and thinking: nothing may change and no command may run that can change \
             something. Read what is needed and describe the change in the answer (which files, which edits, which \
             commands, how to verify it), so that the person can agree to it and leave plan mode",
};

const READ_ONLY: Ceiling = Ceiling {
    id: "mode-read-only",
    reason: "read-only mode lets nothing change and no command run that can change something. Answer from what can be \
             read, and describe anything that would have to be changed or run",
};

/// The mode's ceiling, when a part is above it: it may change something, and no rule lets it run in a sandbox in which
/// nothing can be changed. Whether such a sandbox is there, the rule's match has decided.
pub(crate) fn ceiling(call: &Call<'_>, part: &Part, allows: &[&Rule]) -> Option<Ceiling> {
    let ceiling = match call.request.mode {
        Mode::Plan => PLAN,
        Mode::ReadOnly => READ_ONLY,
        Mode::Normal | Mode::AcceptEdits | Mode::Auto | Mode::Bypass => return None,
    };
    let looks = |rule: &&Rule| rule.sandbox == Some(RuleSandbox::ReadOnly);
    let below = match (&call.script, part.kind) {
        (None, _) => is_effectless(call.request),
        // Input changes nothing; who takes it is a part of its own.
        (Some(_), Kind::Read) => call.contained && !allows.is_empty(),
        (Some(_), _) => call.contained && allows.iter().any(looks),
    };
    (!below).then_some(ceiling)
}

/// Whether the mode lets nothing change.
pub(crate) fn is_ceiling(mode: Mode) -> bool {
    matches!(mode, Mode::Plan | Mode::ReadOnly)
}

/// Whether the mode lets commands of one script share what the most privileged of them has: then the person has said
/// that they do not want to be asked.
pub(crate) fn shares_network(mode: Mode) -> bool {
    matches!(mode, Mode::Auto | Mode::Bypass)
}
