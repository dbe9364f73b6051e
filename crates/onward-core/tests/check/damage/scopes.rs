//! Rules 3 and 4: what opens once, closes once, and lies within something open.

use super::case::{Row, bad, edit, row};
use crate::good::{interrupt, owned, plain_answer, retry, tools};
use crate::log::log;
use crate::values::{attempt, run, step, turn};

pub(super) fn rows() -> Vec<Row> {
    [opened(), closed(), single()].into_iter().flatten().collect()
}

fn opened() -> Vec<Row> {
    vec![
        row("the session was never created", &[3], plain_answer, |case| case.drop("session/created", 0)),
        row("the session is created twice", &[3], plain_answer, |case| case.duplicate("session/created", 0)),
        row("an attempt's id is used again", &[3], retry, |case| {
            edit!(case, AttemptStart, 1, |body| body.attempt = attempt(1));
            edit!(case, AttemptEnd, 1, |body| body.attempt = attempt(1));
        }),
        row("a turn's id is used again", &[3], interrupt, |case| {
            edit!(case, TurnStart, 1, |body| body.turn = turn(1));
            edit!(case, StepStart, 1, |body| body.turn = turn(1));
            edit!(case, TurnEnd, 1, |body| body.turn = turn(1));
        }),
        row("new work has the run of old work", &[3], interrupt, |case| {
            edit!(case, TurnStart, 1, |body| body.run = run(1));
        }),
        row("a step of a turn that never was", &[3], plain_answer, |case| {
            edit!(case, StepStart, 0, |body| body.turn = turn(9));
        }),
        row("a step of a turn that is over", &[3], interrupt, |case| {
            edit!(case, StepStart, 1, |body| body.turn = turn(1));
        }),
        bad("a step without a turn that never ends", &[3], || plain_answer().acquire().step(&[])),
    ]
}

fn closed() -> Vec<Row> {
    vec![
        row("a turn ends before its step", &[3], interrupt, |case| case.drop("step/end", 0)),
        row("a step ends before its attempt", &[3], retry, |case| {
            // What is left of the second attempt: nobody knows how it ended.
            case.drop("attempt/end", 2);
            case.drop("assistant/accepted", 0);
            let end = case.find("turn/end", 0);
            case.records.truncate(end);
        }),
        row("a turn ends twice", &[3], plain_answer, |case| case.duplicate("turn/end", 0)),
        row("a step that never was ends", &[3], interrupt, |case| {
            edit!(case, StepEnd, 0, |body| body.step = step(9));
        }),
        row("an answered call is judged again", &[3], tools, |case| {
            let decided = case.at("policy/decided", 0).event.clone();
            case.insert_after("tool/result", 2, decided);
        }),
    ]
}

fn single() -> Vec<Row> {
    vec![
        bad("two turns at once", &[4], || log().message(1).message(2).acquire().turn(&[1]).turn(&[2])),
        bad("two steps at once", &[4], || owned().turn(&[1]).step(&[])),
        bad("two attempts at once", &[4], || owned().turn(&[1]).ask().retry()),
    ]
}
