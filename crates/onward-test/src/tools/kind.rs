//! The kinds of effects that a call can have.

use onward_event::{AccessKind, OnUnknown, Recovery, Retry, Risk, Semantics};
use serde_json::json;

/// What a tool of the ledger does to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Look,
    Peek,
    Put,
    Place,
    Fire,
    /// As `fire`, and nobody is asked what became of it.
    Seal,
    Launch,
}

impl Kind {
    pub(crate) const ALL: [Self; 7] =
        [Self::Look, Self::Peek, Self::Put, Self::Place, Self::Fire, Self::Seal, Self::Launch];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Look => "look",
            Self::Peek => "peek",
            Self::Put => "put",
            Self::Place => "place",
            Self::Fire => "fire",
            Self::Seal => "seal",
            Self::Launch => "launch",
        }
    }

    /// `begun` and `placed`: what the ledger has already, which is what reconciliation compares with.
    pub(crate) fn semantics(self, name: &str, begun: u64, placed: u64) -> Semantics {
        match self {
            Self::Look => Semantics::None(Retry::Allowed),
            Self::Peek => Semantics::None(Retry::Forbidden),
            Self::Put => Semantics::Possible(Recovery::Idempotent(format!("put {name}"))),
            Self::Place => {
                Semantics::Possible(Recovery::Reconcile(json!({ "begun": begun, "placed": placed })))
            }
            Self::Seal => Semantics::Possible(Recovery::Manual(OnUnknown::Block)),
            Self::Fire | Self::Launch => Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
        }
    }

    pub(crate) fn risk(self) -> Risk {
        match self {
            Self::Look | Self::Peek => Risk::Read,
            Self::Put | Self::Place | Self::Fire | Self::Seal | Self::Launch => Risk::Write,
        }
    }

    pub(crate) fn access(self) -> AccessKind {
        match self.risk() {
            Risk::Read => AccessKind::Read,
            _ => AccessKind::Write,
        }
    }
}
