//! Rule 11: a call with possible effects starts once. It starts again, as the next run, only with the same key that
//! makes a second time void, or after it was found *not applied*.

use alloc::collections::BTreeMap;
use alloc::format;

use onward_event::{CallId, Event, ReconcileVerdict, Recovery, Retry, Semantics, Seq, ToolStart};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 11;

#[derive(Default)]
pub(super) struct Runs {
    /// The latest start of each call that has no answer.
    last: BTreeMap<CallId, Last>,
}

struct Last {
    run: u32,
    semantics: Semantics,
    not_applied: bool,
}

impl Rule for Runs {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        match &seen.record.event {
            Event::ToolStart(body) => self.start(body, seen.record.seq, out),
            Event::ToolReconciled(body) => {
                if let Some(last) = self.last.get_mut(&body.call) {
                    last.not_applied = body.verdict == ReconcileVerdict::NotApplied;
                }
            }
            event => {
                if let Some(call) = answered(event) {
                    self.last.remove(&call);
                }
            }
        }
    }
}

impl Runs {
    fn start(&mut self, body: &ToolStart, at: Seq, out: &mut Findings) {
        let call = body.call;
        let last = self.last.get(&call);
        let next = last.map_or(1, |last| last.run.saturating_add(1));
        if body.run != next {
            out.violation(RULE, at, format!("{call} starts as run {}, but {next} is the next", body.run));
        }
        if let Some(why) = last.and_then(|last| refusal(last, &body.semantics)) {
            out.violation(RULE, at, format!("{call} starts again, but {why}"));
        }
        let last = Last { run: body.run, semantics: body.semantics.clone(), not_applied: false };
        self.last.insert(call, last);
    }
}

/// Why a call that started so may not start again so.
fn refusal(last: &Last, again: &Semantics) -> Option<&'static str> {
    if last.not_applied {
        return None;
    }
    match &last.semantics {
        Semantics::None(Retry::Allowed) => None,
        Semantics::None(Retry::Forbidden) => Some("its answer would mean something else the second time"),
        Semantics::Possible(Recovery::Idempotent(key)) => match again {
            Semantics::Possible(Recovery::Idempotent(other)) if other == key => None,
            _ => Some("without the key that makes the second time void"),
        },
        Semantics::Possible(Recovery::Reconcile(_) | Recovery::Manual(_)) => {
            Some("it may have had its effect, and nobody found that it had not")
        }
    }
}
