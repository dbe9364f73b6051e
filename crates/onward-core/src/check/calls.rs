//! Rule 9: every call belongs to an accepted output of its step, and is answered at most once (once the session is
//! quiet: exactly once). An answered call never starts again, and an answer says only what can be known.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;

use onward_event::{
    CallId, Epoch, Event, ReconcileVerdict, Record, ResultStatus, Semantics, Seq, StepId, ToolCall,
    ToolReconciled, ToolStart,
};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 9;

#[derive(Default)]
pub(super) struct Calls {
    open: BTreeMap<CallId, Open>,
    /// Every call ever proposed, to tell a second answer from an answer to nothing.
    known: BTreeSet<CallId>,
    /// The output accepted in this append, whose calls must follow.
    output: Option<Announced>,
    /// Found in this append, the answer not yet seen.
    found: BTreeMap<CallId, (ReconcileVerdict, Seq)>,
}

struct Announced {
    at: Seq,
    step: StepId,
    calls: u32,
    seen: u32,
}

/// A call without an answer.
struct Open {
    proposed: Seq,
    invalid: bool,
    phase: Phase,
}

#[derive(Clone, Copy)]
enum Phase {
    /// It never started.
    Proposed,
    /// It started, and what became of it is open.
    Started { epoch: Option<Epoch>, effects: bool },
    /// It started, and was found to have had no effect.
    NotApplied,
}

impl Rule for Calls {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let record = seen.record;
        match &record.event {
            Event::AssistantAccepted(body) => {
                self.check_announced(out);
                self.output = Some(Announced { at: record.seq, step: body.step, calls: body.calls, seen: 0 });
            }
            Event::ToolCall(body) => self.propose(body, record.seq, out),
            Event::ToolStart(body) => self.start(body, record, out),
            Event::ToolReconciled(body) => self.reconcile(body, record.seq, out),
            event => {
                if let Some(call) = answered(event) {
                    self.answer(call, record, out);
                }
            }
        }
    }

    fn append_ends(&mut self, out: &mut Findings) {
        self.check_announced(out);
        while let Some((call, (verdict, at))) = self.found.pop_first() {
            let what = match verdict {
                ReconcileVerdict::Applied => {
                    format!("{call} was found applied, but its result does not follow in the same append")
                }
                ReconcileVerdict::Unknown => format!(
                    "{call} was found unknown, but its tool/outcome_unknown does not follow in the same append"
                ),
                ReconcileVerdict::NotApplied => continue,
            };
            out.violation(RULE, at, what);
        }
    }

    fn quiet(&mut self, out: &mut Findings) {
        for (call, open) in &self.open {
            let what = format!("the session is quiet, but {call}, proposed here, was never answered");
            out.violation(RULE, open.proposed, what);
        }
    }
}

impl Calls {
    fn check_announced(&mut self, out: &mut Findings) {
        if let Some(output) = self.output.take()
            && output.seen != output.calls
        {
            let what = format!(
                "the output announces {} calls, but {} follow in the same append",
                output.calls, output.seen
            );
            out.violation(RULE, output.at, what);
        }
    }

    fn propose(&mut self, body: &ToolCall, at: Seq, out: &mut Findings) {
        let call = body.call;
        match &mut self.output {
            Some(output) if output.step == body.step => {
                if body.ordinal != output.seen {
                    let what = format!(
                        "{call} has place {} in its output, but {} is the next",
                        body.ordinal, output.seen
                    );
                    out.violation(RULE, at, what);
                }
                output.seen = output.seen.saturating_add(1);
            }
            _ => out.violation(
                RULE,
                at,
                format!("{call} belongs to no output accepted in the same append for {}", body.step),
            ),
        }
        // An id that is used twice is reported by rule 3; the call that was answered stays answered.
        if self.known.insert(call) {
            let open = Open { proposed: at, invalid: body.invalid.is_some(), phase: Phase::Proposed };
            self.open.insert(call, open);
        }
    }

    fn start(&mut self, body: &ToolStart, record: &Record, out: &mut Findings) {
        let effects = matches!(body.semantics, Semantics::Possible(_));
        match self.open.get_mut(&body.call) {
            Some(open) => open.phase = Phase::Started { epoch: record.epoch, effects },
            None => out.violation(
                RULE,
                record.seq,
                format!("{} starts, but {}", body.call, self.absence(body.call)),
            ),
        }
    }

    fn reconcile(&mut self, body: &ToolReconciled, at: Seq, out: &mut Findings) {
        // For a call that is not open, rule 3 reports.
        let Some(open) = self.open.get_mut(&body.call) else { return };
        if !matches!(open.phase, Phase::Started { .. }) {
            let what = format!("something was found out about {}, but it is not running", body.call);
            out.violation(RULE, at, what);
        }
        if body.verdict == ReconcileVerdict::NotApplied {
            open.phase = Phase::NotApplied;
        } else if self.found.insert(body.call, (body.verdict, at)).is_some() {
            let what = format!("what became of {} was found out twice in one append", body.call);
            out.violation(RULE, at, what);
        }
    }

    fn answer(&mut self, call: CallId, record: &Record, out: &mut Findings) {
        let found = self.found.remove(&call).map(|(verdict, _)| verdict);
        let what = match self.open.remove(&call) {
            None => Some(format!("{} answers {call}, but {}", record.event.kind(), self.absence(call))),
            Some(open) => misfit(&open, found, record).map(|why| format!("{call} {why}")),
        };
        if let Some(what) = what {
            out.violation(RULE, record.seq, what);
        }
    }

    fn absence(&self, call: CallId) -> &'static str {
        if self.known.contains(&call) { "it was answered already" } else { "no output proposed it" }
    }
}

/// Why this answer cannot be the answer of this call.
fn misfit(open: &Open, found: Option<ReconcileVerdict>, record: &Record) -> Option<String> {
    let phase = open.phase;
    let runs_here = matches!(phase, Phase::Started { epoch, .. } if epoch == record.epoch);
    // After its process died, only an inquiry can say what became of a call with effects.
    let needs_inquiry = matches!(phase, Phase::Started { effects: true, .. }) && !runs_here;
    let why = match &record.event {
        Event::ToolResult(body) => match phase {
            Phase::Proposed | Phase::NotApplied if is_error(&body.status) => return None,
            Phase::Proposed if open.invalid => "cannot be run, but has a result that is no error",
            Phase::Proposed => "has a result, but was never started",
            Phase::NotApplied => "has a result, but was found not applied and was not started again",
            Phase::Started { .. } if runs_here || found == Some(ReconcileVerdict::Applied) => return None,
            Phase::Started { effects: true, .. } => {
                "was started by an earlier owner and has a result, but nothing says by what it was found applied"
            }
            // Nothing happened, and that is all that can be said of it.
            Phase::Started { .. } if is_error(&body.status) => return None,
            Phase::Started { .. } => {
                "was started by an earlier owner and has a result, but was not started again"
            }
        },
        Event::ToolDenied(_) if runs_here => "was refused while it was running",
        // A refusal says that nothing happened.
        Event::ToolDenied(_) if needs_inquiry => {
            "was started by an earlier owner and was refused, but nothing says that it had no effect"
        }
        Event::ToolCancelled(body) => match phase {
            Phase::Proposed if body.started => "never started, but was cancelled as a call that had",
            // The owner that recorded the start knows when it did not act on it; a later one cannot.
            Phase::Started { .. } if needs_inquiry && !body.started => {
                "was started by an earlier owner, but was cancelled as a call that never started"
            }
            Phase::Proposed | Phase::Started { .. } | Phase::NotApplied => return None,
        },
        Event::ToolOutcomeUnknown(_) => match phase {
            Phase::Proposed => "never started, so its outcome is known",
            Phase::NotApplied => "was found not applied, so its outcome is known",
            Phase::Started { .. } if needs_inquiry && found != Some(ReconcileVerdict::Unknown) => {
                "was started by an earlier owner and is unknown, but nothing says that anybody tried to find out"
            }
            Phase::Started { .. } => return None,
        },
        _ => return None,
    };
    Some(why.into())
}

fn is_error(status: &ResultStatus) -> bool {
    matches!(status, ResultStatus::Error { .. })
}
