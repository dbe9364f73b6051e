//! Rules 7, 8 and 15: what the model was sent, and what of its words counts.

use onward_event::{AttemptOutcome, Digest};

use super::case::{Row, bad, edit, row};
use crate::good::{crash_in_attempt, owned, plain_answer, retry, tools};
use crate::values::{request_digest, step};

pub(super) fn rows() -> Vec<Row> {
    [outputs(), requests(), rebuilt()].into_iter().flatten().collect()
}

fn outputs() -> Vec<Row> {
    vec![
        row("an accepted output is missing", &[7, 18], plain_answer, |case| {
            case.drop("assistant/accepted", 0)
        }),
        row("an accepted output with calls is missing", &[7, 9], tools, |case| {
            case.drop("assistant/accepted", 0)
        }),
        row("an output of an aborted attempt", &[7], plain_answer, |case| {
            edit!(case, AttemptEnd, 0, |body| body.outcome = AttemptOutcome::Aborted);
        }),
        row("an output in another append", &[7], plain_answer, |case| {
            case.split_before("assistant/accepted", 0)
        }),
        row("an output enters history twice", &[7], plain_answer, |case| {
            case.duplicate("assistant/accepted", 0)
        }),
        row("an output of another step", &[3, 7, 9], tools, |case| {
            edit!(case, AssistantAccepted, 0, |body| body.step = step(2));
        }),
        bad("the model is asked again after it has answered", &[7], || {
            owned().turn(&[1]).ask().calls(&[(1, "read")]).retry()
        }),
    ]
}

fn requests() -> Vec<Row> {
    vec![
        row("another request is sent", &[8], plain_answer, |case| {
            edit!(case, AttemptStart, 0, |body| body.request = Digest([1; 32]));
        }),
        row("a retry changes the request", &[8], retry, |case| {
            edit!(case, AttemptStart, 1, |body| body.request = Digest([1; 32]));
        }),
        row(
            "an old request is sent after a new one",
            &[8],
            || owned().turn(&[1]).ask().fails().ask().answer(),
            |case| {
                let old = request_digest(step(1), 1);
                edit!(case, AttemptStart, 1, |body| body.request = old);
            },
        ),
        row("a request was never prepared", &[6, 8], plain_answer, |case| case.drop("request/prepared", 0)),
        row("an attempt's number is not the next", &[8], retry, |case| {
            edit!(case, AttemptStart, 1, |body| body.number = 1);
        }),
        row("a request's revision is not the next", &[8, 15], plain_answer, |case| {
            edit!(case, RequestPrepared, 0, |body| body.revision = 2);
        }),
        row("an attempt is lost", &[8, 20], retry, |case| {
            case.drop("attempt/start", 0);
            case.drop("attempt/end", 0);
        }),
    ]
}

fn rebuilt() -> Vec<Row> {
    vec![
        row("a request is not the one that the log gives", &[15], crash_in_attempt, |case| {
            edit!(case, RequestPrepared, 0, |body| body.digest = Digest([1; 32]));
            edit!(case, AttemptStart, 0, |body| body.request = Digest([1; 32]));
        }),
        row("a request cannot be rebuilt", &[15], plain_answer, |case| {
            edit!(case, RequestPrepared, 0, |body| body.manifest.base = 5_000);
        }),
    ]
}
