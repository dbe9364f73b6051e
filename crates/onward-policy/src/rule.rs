//! One rule, as data, and whether it applies to a call.

use onward_event::{Mode, Risk, Semantics, Verdict};
use onward_port::PolicyRequest;

use crate::scope::{self, Scope};

/// A condition beyond mode and risk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Whatever the call.
    Always,
    /// The call has no effects: its risk is *read*, and its tool says that nothing can change. A tool that calls itself
    /// a reader and may change something all the same gets none of a reader's freedom.
    Effectless,
    /// The opposite of [`When::Effectless`].
    Effectful,
    /// It names what it touches, and all of that lies in the workspace.
    Inside,
    /// Something that it touches lies outside the workspace.
    Outside,
}

/// A rule: when mode, risk and condition all hold, its effect counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Recorded with every decision that it made, and named by approvals; never reused for another meaning.
    pub id: &'static str,
    /// Allow, ask or deny.
    pub effect: Verdict,
    /// The modes it applies in.
    pub modes: &'static [Mode],
    /// The risks it applies to.
    pub risks: &'static [Risk],
    /// What else must hold.
    pub when: When,
    /// Whether this is a mode's ceiling: it goes away when the person changes the mode.
    pub ceiling: bool,
    /// Why, for people and for the model; a denial says what may be done instead.
    pub reason: &'static str,
}

impl Rule {
    /// Whether the rule says anything about this call.
    pub fn matches(&self, request: &PolicyRequest<'_>) -> bool {
        self.modes.contains(&request.mode)
            && self.risks.contains(&request.plan.risk)
            && self.when.holds(request)
    }
}

impl When {
    fn holds(self, request: &PolicyRequest<'_>) -> bool {
        match self {
            Self::Always => true,
            Self::Effectless => is_effectless(request),
            Self::Effectful => !is_effectless(request),
            Self::Inside => scope_of(request) == Scope::Inside,
            Self::Outside => scope_of(request) == Scope::Outside,
        }
    }
}

fn is_effectless(request: &PolicyRequest<'_>) -> bool {
    request.plan.risk == Risk::Read && matches!(request.plan.semantics, Semantics::None(_))
}

fn scope_of(request: &PolicyRequest<'_>) -> Scope {
    scope::of(&request.workspace.root, &request.plan.resources)
}
