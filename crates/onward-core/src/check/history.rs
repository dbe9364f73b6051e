//! Rule 14: a step does not end with an unanswered call, and the history of every prepared request is closed: each
//! call in it has its answer. Because a call has at most one answer (rule 9), an answer that one request contained is
//! the same in every later one.

use alloc::collections::BTreeMap;
use alloc::format;

use onward_event::{CallId, Event, StepId};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 14;

#[derive(Default)]
pub(super) struct History {
    /// Calls without an answer.
    open: BTreeMap<CallId, StepId>,
}

impl Rule for History {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::ToolCall(body) => {
                self.open.insert(body.call, body.step);
            }
            Event::StepEnd(body) => {
                for (call, _) in self.open.iter().filter(|(_, step)| **step == body.step) {
                    out.violation(RULE, at, format!("{} ends, but its {call} is not answered", body.step));
                }
            }
            Event::RequestPrepared(body) => {
                for call in self.open.keys() {
                    out.violation(
                        RULE,
                        at,
                        format!("the request of {} shows {call} without an answer", body.step),
                    );
                }
            }
            event => {
                if let Some(call) = answered(event) {
                    self.open.remove(&call);
                }
            }
        }
    }
}
