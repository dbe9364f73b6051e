//! Rule 18: a turn ends *completed* only with an answer: its last step ended with an accepted output that calls no
//! tool, the stop is *final*, and no call of its run is unknown and unsettled.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;

use onward_event::{CallId, Event, RunId, StepTerminal, StopReason, TurnEnd, TurnId, TurnTerminal};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 18;

#[derive(Default)]
pub(super) struct Completion {
    turn: Option<Open>,
    /// Calls whose outcome is unknown and that nobody has settled, with their runs.
    unknown: BTreeMap<CallId, RunId>,
}

/// The open turn.
struct Open {
    turn: TurnId,
    run: RunId,
    /// Calls of the last step's output; absent without an output.
    calls: Option<u32>,
    /// How the last step ended; absent while it is open.
    ended: Option<StepTerminal>,
}

impl Rule for Completion {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        match &seen.record.event {
            Event::TurnStart(body) => {
                self.turn = Some(Open { turn: body.turn, run: body.run, calls: None, ended: None });
            }
            Event::ToolOutcomeUnknown(body) => {
                if let Some(open) = &self.turn {
                    self.unknown.insert(body.call, open.run);
                }
            }
            Event::ReconciliationResolved(body) => {
                self.unknown.remove(&body.call);
            }
            Event::TurnEnd(body) => {
                if let Some(why) = self.refusal(body) {
                    let what = format!("{} ends completed, but {why}", body.turn);
                    out.violation(RULE, seen.record.seq, what);
                }
                self.turn = None;
            }
            event => {
                if let Some(open) = &mut self.turn {
                    open.follow(event);
                }
            }
        }
    }
}

impl Completion {
    fn refusal(&self, body: &TurnEnd) -> Option<String> {
        // A turn that is not open is reported by rule 3.
        let open = self.turn.as_ref().filter(|open| open.turn == body.turn)?;
        if body.terminal != TurnTerminal::Completed {
            return None;
        }
        if body.stop != StopReason::Final {
            return Some("its stop is not final".into());
        }
        if open.ended != Some(StepTerminal::Answer) {
            return Some("its last step did not end with an answer".into());
        }
        match open.calls {
            None => return Some("its last step has no accepted output".into()),
            Some(0) => {}
            Some(calls) => return Some(format!("its last output calls {calls} tools")),
        }
        let unsettled = self.unknown.iter().find(|(_, run)| **run == open.run);
        unsettled.map(|(call, _)| format!("the outcome of {call} in the same run is unknown and not settled"))
    }
}

impl Open {
    fn follow(&mut self, event: &Event) {
        match event {
            Event::StepStart(_) => {
                self.calls = None;
                self.ended = None;
            }
            Event::AssistantAccepted(body) => self.calls = Some(body.calls),
            Event::StepEnd(body) => self.ended = Some(body.terminal),
            _ => {}
        }
    }
}
