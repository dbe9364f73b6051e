//! Rule 4: at most one open turn; in it at most one open step; in it at most one open attempt.

use alloc::format;
use core::fmt::Display;

use onward_event::{AttemptId, Event, Seq, StepId, TurnId};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 4;

#[derive(Default)]
pub(super) struct Single {
    turn: Option<TurnId>,
    step: Option<StepId>,
    attempt: Option<AttemptId>,
}

impl Rule for Single {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::TurnStart(body) => start(&mut self.turn, body.turn, at, out),
            Event::StepStart(body) => start(&mut self.step, body.step, at, out),
            Event::AttemptStart(body) => start(&mut self.attempt, body.attempt, at, out),
            Event::AttemptEnd(body) => end(&mut self.attempt, body.attempt),
            // What a parent leaves open is reported by rule 3 and closed with it here.
            Event::StepEnd(body) => {
                end(&mut self.step, body.step);
                self.attempt = None;
            }
            Event::TurnEnd(body) => {
                end(&mut self.turn, body.turn);
                self.step = None;
                self.attempt = None;
            }
            _ => {}
        }
    }
}

fn start<Id: Copy + PartialEq + Display>(open: &mut Option<Id>, id: Id, at: Seq, out: &mut Findings) {
    if let Some(other) = open.replace(id)
        && other != id
    {
        out.violation(RULE, at, format!("{id} starts while {other} is still open"));
    }
}

fn end<Id: PartialEq>(open: &mut Option<Id>, id: Id) {
    if *open == Some(id) {
        *open = None;
    }
}
