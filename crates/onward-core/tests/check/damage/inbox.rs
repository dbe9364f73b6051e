//! Rules 5 and 6: what work starts from, and what becomes of messages.

use onward_event::{InboxCancelReason, StepTerminal, StopReason, TurnSource, TurnTerminal};

use super::case::{Row, bad, edit, row};
use crate::good::{crash_applied, messages, owned, plain_answer, undeliverable, unknown_settled};
use crate::log::{Log, log};
use crate::values::{call, msg, run};

pub(super) fn rows() -> Vec<Row> {
    [sources(), continuations(), included(), cancelled()].into_iter().flatten().collect()
}

fn failed(log: Log) -> Log {
    log.end(StepTerminal::Failed, TurnTerminal::Failed, StopReason::ContextCannotFit)
}

fn sources() -> Vec<Row> {
    vec![
        row("a turn from a message that never came", &[5], plain_answer, |case| {
            edit!(case, TurnStart, 0, |body| body.source = TurnSource::Messages(vec![msg(9)]));
        }),
        row("a turn from nothing", &[5], plain_answer, |case| {
            edit!(case, TurnStart, 0, |body| body.source = TurnSource::Messages(vec![]));
        }),
        row("a turn from a silent message", &[5], messages, |case| {
            edit!(case, TurnStart, 0, |body| body.source = TurnSource::Messages(vec![msg(2)]));
        }),
        row("a turn from a message that the model has seen", &[5], messages, |case| {
            edit!(case, TurnStart, 1, |body| body.source = TurnSource::Messages(vec![msg(1)]));
        }),
        bad("a message starts two turns", &[5], || failed(owned().turn(&[1])).turn(&[1]).ask().answer()),
        bad("a turn from a message that was taken back", &[5, 6], || owned().take_back(1).turn(&[1])),
    ]
}

fn continuations() -> Vec<Row> {
    vec![
        bad("a continuation is carried on twice", &[5], || {
            let log = crash_applied();
            let is_continuation = |kind: &str| kind == "recovery/continuation";
            let place = log.records.iter().find(|record| is_continuation(record.event.kind())).unwrap().seq;
            log.acquire().carry_on(place, &[]).ask().answer()
        }),
        row("a continuation is carried on as other work", &[5], crash_applied, |case| {
            edit!(case, TurnStart, 1, |body| body.run = run(7));
        }),
        row("an interrupted turn has no continuation", &[5], crash_applied, |case| {
            case.drop("recovery/continuation", 0);
        }),
        row("a continuation in another append", &[5], crash_applied, |case| {
            case.split_before("recovery/continuation", 0);
        }),
        row("a continuation of a turn that failed", &[5], crash_applied, |case| {
            edit!(case, TurnEnd, 0, |body| body.terminal = TurnTerminal::Failed);
        }),
        row("a continuation of another run", &[5], crash_applied, |case| {
            edit!(case, RecoveryContinuation, 0, |body| body.run = run(7));
            edit!(case, TurnStart, 1, |body| body.run = run(7));
        }),
        row("a run goes on past an unknown outcome", &[5, 18], unknown_settled, |case| {
            case.drop("reconciliation/resolved", 0);
        }),
        row("a continuation does not wait for an unknown outcome", &[5], unknown_settled, |case| {
            edit!(case, RecoveryContinuation, 0, |body| body.blocked_on.clear());
        }),
        row("a continuation waits for a call that is known", &[5], crash_applied, |case| {
            edit!(case, RecoveryContinuation, 0, |body| body.blocked_on.push(call(2)));
        }),
        row("a continuation reclaims what the model has seen", &[5], crash_applied, |case| {
            edit!(case, RecoveryContinuation, 0, |body| body.reclaims.push(msg(1)));
        }),
    ]
}

fn included() -> Vec<Row> {
    vec![
        row("a message is included that no step claimed", &[6], plain_answer, |case| {
            edit!(case, StepStart, 0, |body| body.claims.clear());
        }),
        row("a message is included twice", &[6], messages, |case| {
            edit!(case, RequestPrepared, 1, |body| body.includes.push(msg(1)));
        }),
        row("a message is included that never came", &[6], plain_answer, |case| {
            edit!(case, RequestPrepared, 0, |body| body.includes.push(msg(9)));
        }),
        row("a message is claimed that never came", &[6], plain_answer, |case| {
            edit!(case, StepStart, 0, |body| body.claims.push(msg(9)));
        }),
        row("a message is claimed that the model has seen", &[6], messages, |case| {
            edit!(case, StepStart, 1, |body| body.claims.push(msg(1)));
        }),
        row(
            "a claim outlives its step",
            &[6],
            || owned().steer(2).turn(&[1]).ask().calls(&[]).go_on(&[]).ask(),
            |case| {
                edit!(case, StepStart, 0, |body| body.claims.push(msg(2)));
                edit!(case, RequestPrepared, 1, |body| body.includes.push(msg(2)));
            },
        ),
        bad("a message is included that was taken back", &[6], || {
            owned().turn(&[1]).take_back(1).ask().answer()
        }),
        row("a message is claimed a fourth time", &[6], undeliverable, |case| {
            case.drop("inbox/cancelled", 1);
            edit!(case, StepStart, 5, |body| body.claims.push(msg(3)));
        }),
        bad("a message has no end", &[6], || failed(owned().turn(&[1]))),
    ]
}

fn cancelled() -> Vec<Row> {
    use InboxCancelReason::{Undeliverable, WithTurn};
    vec![
        bad("the owner cancels what the model has seen", &[6], || {
            owned().turn(&[1]).ask().answer().give_up(1, WithTurn)
        }),
        bad("the owner cancels what never came", &[6], || log().acquire().give_up(1, WithTurn)),
        bad("the owner cancels twice", &[6], || {
            failed(owned().turn(&[1]).give_up(1, WithTurn).give_up(1, WithTurn))
        }),
        bad("a message is given up that nobody claimed", &[6], || owned().give_up(1, Undeliverable)),
    ]
}
