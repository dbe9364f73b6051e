//! Rules 3 and 19 for jobs: begun with an answer, ended once, told once.

use onward_event::{Event, JobId, JobReason, JobState, Origin};

use super::case::{Row, bad, edit, row};
use crate::good::{background, job_cancelled, job_unknown_settled, owned};
use crate::log::Log;
use crate::log::job_phase;
use crate::values::{call, shell};

pub(super) fn rows() -> Vec<Row> {
    [started(), scopes(), phases(), told()].into_iter().flatten().collect()
}

/// A job that runs.
fn one_job() -> Log {
    owned().turn(&[1]).ask().calls(&[(20, "shell")]).start_background(20, 1).job(20)
}

fn started() -> Vec<Row> {
    vec![
        row("a job of a call that runs inside the runtime", &[19], background, |case| {
            edit!(case, ToolStart, 0, |body| body.handle = onward_event::Handle::InProcess);
        }),
        row("a job that is not named after its call", &[3, 19], background, |case| {
            edit!(case, JobStarted, 0, |body| body.job = JobId::of(call(9)));
        }),
        row("a job of another execution", &[19], background, |case| {
            edit!(case, JobStarted, 0, |body| body.name = "another".into());
        }),
        row("a job whose call is answered later", &[19], background, |case| {
            case.split_before("tool/result", 0);
        }),
        bad("a job of a call that was answered before", &[3, 9, 19], || one_job().job(20)),
    ]
}

fn scopes() -> Vec<Row> {
    vec![
        row("a job ends that never started", &[3, 19], background, |case| case.drop("job/started", 0)),
        bad("a job ends twice", &[3], || {
            let log = one_job().job_ends(20, JobState::Completed);
            let again = job_phase(20, JobState::Failed, None, None);
            log.owner(vec![again])
        }),
        bad("a job is looked for after its end", &[3], || {
            one_job().job_ends(20, JobState::Completed).job_unknown(20)
        }),
    ]
}

fn phases() -> Vec<Row> {
    vec![
        bad("a job is said to run", &[19], || {
            one_job().owner(vec![job_phase(20, JobState::Running, None, None)])
        }),
        bad("a job is reconciled twice", &[19], || one_job().job_unknown(20).job_unknown(20)),
        row("a job is cancelled, and nobody asked", &[19], job_cancelled, |case| {
            case.drop("job/cancel_requested", 0);
        }),
        row("a job is settled that was not unknown", &[19], job_unknown_settled, |case| {
            case.drop("job/phase", 0);
        }),
        row("a job's end names an output that is not stored", &[1], background, |case| {
            case.drop("artifact/stored", 0);
        }),
    ]
}

fn told() -> Vec<Row> {
    vec![
        bad("a job's end is told to nobody", &[19], || {
            one_job().owner(vec![job_phase(20, JobState::Completed, None, None)])
        }),
        row("a job's end is told in another append", &[19], background, |case| {
            case.split_before("inbox/received", 1);
        }),
        row("a job's end is told as if a person had said it", &[19], background, |case| {
            edit!(case, InboxReceived, 1, |body| body.message.origin = Origin::User);
        }),
        bad("a job that runs says something", &[19], || {
            let log = one_job();
            let told = one_job().job_ends(20, JobState::Completed).records.pop().unwrap().event;
            log.owner(vec![told])
        }),
        row("a notice of a job's end that comes from another", &[5, 6, 19], background, |case| {
            edit!(case, InboxReceived, 1, |body| body.message.id = JobId::of(call(9)).notice());
        }),
        bad("a job that was found unknown has ended without a word", &[19], || {
            let end = job_phase(20, JobState::Interrupted, Some(JobReason::Settled), None);
            let end: Event = end;
            one_job().job_unknown(20).owner(vec![end])
        }),
        bad("an answer in the foreground is no job", &[19], || {
            let log = owned().turn(&[1]).ask().calls(&[(20, "shell")]).start(20, 1, shell());
            log.job(20)
        }),
    ]
}
