//! What a simulated run can be found guilty of.

use std::fmt;

/// Which promise was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WrongKind {
    /// A rule of the checker, by its number.
    Rule(u8),
    /// One call had its effect more than once.
    EffectDoubled,
    /// Something happened whose record was not on disk.
    EffectBeforeRecord,
    /// A request was sent that is not the recorded one, or none is.
    RequestUnrecorded,
    /// An acknowledged input is not in the log, or is in it twice.
    InputLost,
    /// The model was told the same message twice.
    InputDoubled,
    /// The log says of a call what the world contradicts.
    Untrue,
    /// An execution was forgotten whose answer was not on disk.
    ForgottenEarly,
    /// Work is left and nobody goes on with it.
    Hangs,
    /// An owner ended with a fault of its own.
    OwnerFault,
}

/// One broken promise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Which.
    pub kind: WrongKind,
    /// How.
    pub what: String,
}

impl Wrong {
    pub(super) fn new(kind: WrongKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into() }
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.what)
    }
}
