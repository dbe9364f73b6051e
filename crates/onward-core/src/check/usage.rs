//! Rule 20: use is counted once: the attempts of a turn, failed and aborted ones too, add up to what the turn says.
//!
//! Judged when the turn ends: nothing later could mend the sum.

use alloc::format;
use alloc::string::String;

use onward_event::{Event, TurnId, Usage};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 20;

#[derive(Default)]
pub(super) struct UsageSums {
    /// The open turn, and the sum over its attempts so far.
    turn: Option<(TurnId, Usage)>,
}

impl Rule for UsageSums {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        match &seen.record.event {
            Event::TurnStart(body) => self.turn = Some((body.turn, Usage::NONE)),
            Event::AttemptEnd(body) => {
                if let Some((_, sum)) = &mut self.turn {
                    *sum = sum.plus(body.usage);
                }
            }
            Event::TurnEnd(body) => {
                if let Some((turn, sum)) = self.turn.take()
                    && turn == body.turn
                    && numbers(&sum) != numbers(&body.usage)
                {
                    let what = format!(
                        "{turn} says that it used {}, but its attempts used {}",
                        words(&body.usage),
                        words(&sum)
                    );
                    out.violation(RULE, seen.record.seq, what);
                }
            }
            _ => {}
        }
    }
}

/// Without where the numbers come from.
fn numbers(usage: &Usage) -> [u64; 4] {
    [usage.input, usage.cached, usage.output, usage.cost_micros]
}

fn words(usage: &Usage) -> String {
    format!(
        "{} tokens in ({} cached), {} out, {} millionths",
        usage.input, usage.cached, usage.output, usage.cost_micros
    )
}
