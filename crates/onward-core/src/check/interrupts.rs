//! Rule 13: once an interrupt is requested, nothing new starts in that turn: no attempt, no call.

use alloc::format;

use onward_event::{Event, TurnId};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 13;

#[derive(Default)]
pub(super) struct Interrupts {
    turn: Option<TurnId>,
    /// Whether the open turn is to be cancelled.
    interrupted: bool,
}

impl Rule for Interrupts {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::TurnStart(body) => *self = Self { turn: Some(body.turn), interrupted: false },
            Event::TurnEnd(_) => *self = Self::default(),
            Event::InterruptRequested(body) => {
                // One for another turn came too late and changes nothing.
                let meant = body.turn.is_none() || body.turn == self.turn;
                self.interrupted |= meant && self.turn.is_some();
            }
            Event::AttemptStart(body) if self.interrupted => {
                out.violation(RULE, at, format!("{} starts although its turn was interrupted", body.attempt));
            }
            Event::ToolStart(body) if self.interrupted => {
                out.violation(RULE, at, format!("{} starts although its turn was interrupted", body.call));
            }
            _ => {}
        }
    }
}
