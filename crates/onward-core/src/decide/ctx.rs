//! What a decision is made with beside state and input, and how it is refused.

use onward_event::{Event, Timestamp};

/// What a decision may know beside the state.
pub struct Ctx<'a> {
    /// Now.
    pub now: Timestamp,
    /// The revision of the rules in force.
    pub policy: u64,
    /// Whether a new turn may begin.
    pub new_turns: NewTurns,
    /// Gives 128 bits that were never given before.
    pub ids: &'a mut dyn FnMut() -> u128,
    /// Takes out of an event what no record may hold. The state is a fold of what is recorded, so an event passes here
    /// before it is applied.
    pub redact: &'a dyn Fn(Event) -> Event,
}

/// Whether work begins that is not begun yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewTurns {
    /// As soon as there is any.
    Begin,
    /// It waits: only what is open is brought to its end.
    Wait,
}

impl Ctx<'_> {
    pub(super) fn id(&mut self) -> u128 {
        (self.ids)()
    }
}

/// An input that no longer applies.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The session has no owner.
    #[error("the session has no owner")]
    NotOwned,
    /// What it is about has ended or never was.
    #[error("{0} is not open for this")]
    NotOpen(&'static str),
    /// What it was based on has changed; it is to be done again.
    #[error("its basis has changed: {0}")]
    Stale(&'static str),
}
