//! An owner's event that does not fit the state.

use onward_event::Seq;

use crate::prelude::*;

/// A record that cannot follow the ones before it. Clients' events are never illegal: one that no longer applies is
/// folded as ignored, so that nobody can make a log unreadable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("record {seq} ({kind}) does not fit the log before it: {why}")]
pub struct IllegalEvent {
    /// Where.
    pub seq: Seq,
    /// The event's kind.
    pub kind: String,
    /// What is wrong.
    pub why: String,
}
