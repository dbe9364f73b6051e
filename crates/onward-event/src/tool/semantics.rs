//! What a call can do to the world, and how the truth about it is found after a crash (seed, section 3).

use crate::prelude::*;

/// What a call can do to the world (seed, section 3). There is no way to say "may have effects, has no key, retry
/// anyway".
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Semantics {
    /// Nothing.
    None(Retry),
    /// Something; and this is how it is recovered.
    Possible(Recovery),
}

impl Semantics {
    /// What follows when nobody can find out by machine: a person is asked, unless the tool says otherwise.
    pub fn on_unknown(&self) -> OnUnknown {
        match self {
            Self::Possible(Recovery::Manual(then)) => *then,
            Self::None(_) | Self::Possible(Recovery::Idempotent(_) | Recovery::Reconcile(_)) => {
                OnUnknown::Ask
            }
        }
    }

    /// Whether starting again cannot do harm: no effects, or a key that makes the second time void.
    pub fn may_run_again(&self) -> bool {
        match self {
            Self::None(Retry::Allowed) | Self::Possible(Recovery::Idempotent(_)) => true,
            Self::None(Retry::Forbidden) | Self::Possible(Recovery::Reconcile(_) | Recovery::Manual(_)) => {
                false
            }
        }
    }
}

/// Whether a call without effects may simply run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// Yes.
    Allowed,
    /// No: its answer would mean something else.
    Forbidden,
}

/// How the truth about a call with effects is found after a crash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// Running again with this key has the effect at most once.
    Idempotent(String),
    /// The tool can find out; this is what it needs to know.
    Reconcile(Value),
    /// Nobody can find out by machine.
    Manual(OnUnknown),
}

/// What to do when nobody can find out whether a call had its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnUnknown {
    /// Ask the person.
    Ask,
    /// Hold the run until somebody settles it from outside.
    Block,
}
