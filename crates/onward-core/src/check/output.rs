//! Rule 7: `assistant/accepted` follows an attempt that ended *accepted*, in the same append; there is at most one in
//! a step. Nothing else brings a model's words into history, because nothing else is read from there.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;

use onward_event::{AssistantAccepted, AttemptId, AttemptOutcome, Event, Seq, StepId};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 7;

#[derive(Default)]
pub(super) struct Output {
    /// Open attempts and their steps.
    attempts: BTreeMap<AttemptId, StepId>,
    /// Ended *accepted* in this append, their output not yet seen.
    accepted: BTreeMap<AttemptId, (Option<StepId>, Seq)>,
    /// Open steps that have their output.
    have_output: BTreeSet<StepId>,
}

impl Rule for Output {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::AttemptStart(body) => {
                if self.have_output.contains(&body.step) {
                    let what = format!(
                        "{} asks the model again in {}, which has its output",
                        body.attempt, body.step
                    );
                    out.violation(RULE, at, what);
                }
                self.attempts.insert(body.attempt, body.step);
            }
            Event::AttemptEnd(body) => {
                let step = self.attempts.remove(&body.attempt);
                if body.outcome == AttemptOutcome::Accepted {
                    self.accepted.insert(body.attempt, (step, at));
                }
            }
            Event::AssistantAccepted(body) => self.accept(body, at, out),
            Event::StepEnd(body) => {
                self.have_output.remove(&body.step);
            }
            _ => {}
        }
    }

    fn append_ends(&mut self, out: &mut Findings) {
        while let Some((attempt, (_, at))) = self.accepted.pop_first() {
            let what =
                format!("{attempt} ended accepted, but no assistant/accepted follows in the same append");
            out.violation(RULE, at, what);
        }
    }
}

impl Output {
    fn accept(&mut self, body: &AssistantAccepted, at: Seq, out: &mut Findings) {
        match self.accepted.remove(&body.attempt) {
            None => {
                let what = format!(
                    "the output of {} enters history, but that attempt did not end accepted in the same append",
                    body.attempt
                );
                out.violation(RULE, at, what);
            }
            Some((Some(step), _)) if step != body.step => {
                let what = format!(
                    "the output of {} enters history in {}, but was made for {step}",
                    body.attempt, body.step
                );
                out.violation(RULE, at, what);
            }
            Some(_) => {}
        }
        if !self.have_output.insert(body.step) {
            out.violation(RULE, at, format!("a second output enters history in {}", body.step));
        }
    }
}
