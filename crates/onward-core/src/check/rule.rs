//! The shape of a rule, and what several rules ask of an event.

use onward_event::{CallId, Event};

use super::env::{CheckEnv, Checked};
use super::report::Findings;

/// One rule: a fold over the records.
pub(super) trait Rule {
    /// The next record.
    fn record(&mut self, seen: &Checked<'_>, env: &mut dyn CheckEnv, out: &mut Findings);

    /// The append that the last record belongs to is over: what had to stand in it must have been seen.
    fn append_ends(&mut self, out: &mut Findings) {
        let _ = out;
    }

    /// The log ends here, and quiet: what had to end must have ended.
    fn quiet(&mut self, out: &mut Findings) {
        let _ = out;
    }
}

/// The call that an event answers: each call has exactly one such event.
pub(super) fn answered(event: &Event) -> Option<CallId> {
    match event {
        Event::ToolResult(body) => Some(body.call),
        Event::ToolDenied(body) => Some(body.call),
        Event::ToolCancelled(body) => Some(body.call),
        Event::ToolOutcomeUnknown(body) => Some(body.call),
        _ => None,
    }
}
