//! Rules 18 and 20: when a turn is complete, and what it used.

use onward_event::{StepTerminal, StopReason, TurnTerminal};

use super::case::{Row, bad, edit, row};
use crate::good::{owned, plain_answer, retry};
use crate::values::{read, shell};

pub(super) fn rows() -> Vec<Row> {
    vec![
        row("a turn is complete for another reason", &[18], plain_answer, |case| {
            edit!(case, TurnEnd, 0, |body| body.stop = StopReason::MaxSteps);
        }),
        row("a turn is complete without an answer", &[18], plain_answer, |case| {
            edit!(case, StepEnd, 0, |body| body.terminal = StepTerminal::Failed);
        }),
        bad("a turn is complete while the model calls tools", &[18], || {
            let log = owned().turn(&[1]).ask().calls(&[(1, "read")]).start(1, 1, read()).ok(1);
            log.end(StepTerminal::Answer, TurnTerminal::Completed, StopReason::Final)
        }),
        bad("a turn is complete over an unknown outcome", &[18], || {
            let log = owned().turn(&[1]).ask().calls(&[(1, "shell")]).start(1, 1, shell()).unknown(1);
            log.go_on(&[]).ask().answer()
        }),
        row("a turn says that it used less", &[20], plain_answer, |case| {
            edit!(case, TurnEnd, 0, |body| body.usage.output -= 1);
        }),
        row("a failed attempt is not counted", &[20], retry, |case| {
            edit!(case, AttemptEnd, 0, |body| body.usage.input = 0);
        }),
    ]
}
