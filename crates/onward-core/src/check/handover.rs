//! Rule 12: after an owner died, the next one first brings to an end what it left: no step begins before every
//! started call is answered, and the turn that was cut off neither asks the model again nor takes over the output
//! of an attempt whose process is gone.
//!
//! An owner that leaves in order has nothing in flight but what runs under supervisors; its open turn simply goes on
//! under the next one.

use alloc::collections::BTreeMap;
use alloc::format;

use onward_event::{AttemptEnd, AttemptId, AttemptOutcome, CallId, Epoch, Event, Seq, StepStart, TurnId};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 12;

#[derive(Default)]
pub(super) struct Handover {
    epoch: Epoch,
    owned: bool,
    turn: Option<TurnId>,
    /// Whether the open turn lost its owner in the middle.
    cut_off: bool,
    /// Open attempts, and the epochs that started them.
    attempts: BTreeMap<AttemptId, Epoch>,
    /// Started calls without an answer, and the epochs that started them.
    started: BTreeMap<CallId, Epoch>,
}

impl Rule for Handover {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::OwnerAcquired(body) => {
                self.cut_off |= self.owned && self.turn.is_some();
                self.epoch = body.epoch;
                self.owned = true;
            }
            Event::OwnerReleased(_) => self.owned = false,
            Event::TurnStart(body) => self.set_turn(Some(body.turn)),
            Event::TurnEnd(_) => self.set_turn(None),
            Event::StepStart(body) => self.begin_step(body, at, out),
            Event::AttemptStart(body) => {
                if self.cut_off {
                    let what = format!(
                        "{} asks the model in a turn whose owner died; its run goes on in another turn",
                        body.attempt
                    );
                    out.violation(RULE, at, what);
                }
                self.attempts.insert(body.attempt, self.epoch);
            }
            Event::AttemptEnd(body) => self.end_attempt(body, at, out),
            Event::ToolStart(body) => {
                self.started.insert(body.call, self.epoch);
            }
            event => {
                if let Some(call) = answered(event) {
                    self.started.remove(&call);
                }
            }
        }
    }
}

impl Handover {
    fn set_turn(&mut self, turn: Option<TurnId>) {
        self.turn = turn;
        self.cut_off = false;
    }

    fn begin_step(&mut self, body: &StepStart, at: Seq, out: &mut Findings) {
        let mut left = self.started.iter().filter(|(_, epoch)| **epoch < self.epoch).peekable();
        if left.peek().is_none() && self.cut_off {
            let what =
                format!("{} begins in a turn whose owner died; its run goes on in another turn", body.step);
            out.violation(RULE, at, what);
        }
        for (call, epoch) in left {
            let what =
                format!("{} begins, but {call}, started under epoch {}, is not answered", body.step, epoch.0);
            out.violation(RULE, at, what);
        }
    }

    fn end_attempt(&mut self, body: &AttemptEnd, at: Seq, out: &mut Findings) {
        let Some(epoch) = self.attempts.remove(&body.attempt) else { return };
        let ended = matches!(body.outcome, AttemptOutcome::Interrupted | AttemptOutcome::Aborted);
        if epoch < self.epoch && !ended {
            let what = format!(
                "{} was sent under epoch {}, whose process is gone, but did not end interrupted",
                body.attempt, epoch.0
            );
            out.violation(RULE, at, what);
        }
    }
}
