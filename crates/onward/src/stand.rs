//! How a session stands when there is nothing left to do without somebody: exit code, answer, and what it waits for.

use onward_core::{Ended, Job, Session, Wait};
use onward_event::{ApprovalRequested, JobId, JobState, JobsAtEnd, OnUnknown, TurnTerminal, Usage};
use onward_wire::{Outcome, Wait as WireWait, WaitKind, Waiting};

use crate::exit::ExitCode;
use crate::outlives::Outlives;
use crate::render::describe_input;

/// What follows where the tool says that a person is not asked.
pub(crate) const HELD: &str = "no question is asked about it, and its task is held until it is settled";

/// How a session stands when there is nothing left to do without somebody.
pub(crate) struct Stand {
    pub(crate) code: ExitCode,
    pub(crate) outcome: Outcome,
    /// What it waits for.
    pub(crate) waits: Vec<WireWait>,
    /// The questions among that, as a person is shown them.
    pub(crate) asked: Vec<ApprovalRequested>,
    /// The command that looks after jobs that go on.
    pub(crate) looks_after_jobs: String,
    /// What goes on without this process, when it was told to end.
    pub(crate) outlives: Outlives,
    /// Whether it ended at once, with something under way.
    pub(crate) at_once: bool,
    /// Whether there is something that `resume` would go on with, before anybody has answered anything.
    pub(crate) resumable: bool,
}

/// How driving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// With nothing left to do.
    Quiet,
    /// The same, and at least one question was answered with no because nobody was there.
    Denied,
    /// The same, after a turn was interrupted.
    Interrupted,
    /// Told to end in the middle.
    Left,
    /// Told so twice.
    AtOnce,
}

/// How the session stands after that.
pub(crate) fn stand(session: &Session, end: &End, program: &str) -> Stand {
    let resume = format!("{program} resume {}", session.id());
    let looks_after_jobs = looks_after_jobs(session, program);
    let waits = waits_of(session, program);
    let ended = session.last_end();
    let open = session.turn().is_some() || !session.continuations().is_empty();
    let code = match (end, ended) {
        _ if waits.iter().any(|(code, _)| *code == ExitCode::OutcomeUnknown) => ExitCode::OutcomeUnknown,
        (End::Left | End::AtOnce, _) => ExitCode::Interrupted,
        _ if waits.iter().any(|(code, _)| *code == ExitCode::Waiting) => ExitCode::Waiting,
        (End::Denied, _) => ExitCode::Denied,
        // What was asked for did not come to its end, whatever was done after that.
        (End::Interrupted, _) => ExitCode::Interrupted,
        (End::Quiet, Some(ended)) => ExitCode::of_turn(ended.end.terminal, ended.end.stop),
        (End::Quiet, None) => ExitCode::Completed,
    };
    let waits: Vec<WireWait> = waits.into_iter().map(|(_, wait)| wait).collect();
    let outlives = match end {
        End::Left | End::AtOnce => Outlives::of(session),
        End::Quiet | End::Interrupted | End::Denied => Outlives::default(),
    };
    let next = match (open, ended) {
        (true, _) if !outlives.running.is_empty() => {
            format!(
                "{} goes on under its supervisor; `{resume}` waits for its end",
                outlives.running.join(", ")
            )
        }
        (true, _) => waits.iter().flat_map(|wait| wait.answer.clone()).collect::<Vec<_>>().join("\n"),
        (false, Some(ended)) => ended.end.next.clone(),
        (false, None) => String::new(),
    };
    let pending = session.pending_messages().any(|pending| pending.message.wakeup);
    let unfinished = ended.is_some_and(|ended| ended.end.terminal != TurnTerminal::Completed);
    let job_runs = session.jobs().any(|job| job.phase == JobState::Running);
    // What is open waits for somebody's word: nothing goes on before that is given.
    let held = open && waits.iter().any(|wait| wait.kind != WaitKind::Job);
    let resumable = !held && (open || pending || unfinished) || job_runs;
    let ended = ended.filter(|_| session.turn().is_none());
    let asked = session.open_approvals().map(|open| open.request.clone()).collect();
    let (outcome, at_once) = (outcome(session, ended, code, next, resume), *end == End::AtOnce);
    Stand { code, outcome, waits, asked, looks_after_jobs, outlives, at_once, resumable }
}

fn outcome(
    session: &Session,
    ended: Option<&Ended>,
    code: ExitCode,
    next: String,
    resume: String,
) -> Outcome {
    let usage: Usage = session.usage();
    let answer = match (session.turn(), ended) {
        (Some(turn), _) => turn.answer.clone(),
        (None, Some(ended)) => ended.answer.clone(),
        (None, None) => String::new(),
    };
    let steps = match (session.run(), ended) {
        (Some(run), _) => run.steps,
        (None, Some(ended)) => ended.steps,
        (None, None) => 0,
    };
    Outcome {
        session: session.id(),
        terminal: ended.map(|ended| ended.end.terminal.into()),
        stop: ended.map(|ended| ended.end.stop.into()),
        exit_code: code.number(),
        answer,
        usage: usage.into(),
        steps,
        next,
        resume,
    }
}

/// What the session waits for, with the exit code that says so.
fn waits_of(session: &Session, program: &str) -> Vec<(ExitCode, WireWait)> {
    let mut waits = Vec::new();
    for wait in session.waiting_on() {
        match wait {
            Wait::Approval(approval) => {
                let about = session.open_approvals().find(|open| open.request.approval == approval);
                let about = about.map_or_else(String::new, |open| open.request.preview.clone());
                waits.push((ExitCode::Waiting, WireWait::approval(approval, about)));
            }
            Wait::Settlement(call) if session.job(JobId::of(call)).is_some_and(Job::is_open) => {
                let job = JobId::of(call);
                let known = session
                    .job(job)
                    .map(|job| with_held(format!("{}: {}", job.command, job.summary), job.on_unknown()));
                let wait = WireWait::job_reconciliation(job, known.unwrap_or_default());
                waits.push((ExitCode::OutcomeUnknown, wait));
            }
            Wait::Settlement(call) => {
                let unknown = session.unknown_calls().find(|unknown| unknown.call == call);
                let about = unknown.map_or_else(String::new, |unknown| {
                    let input = serde_json::from_str(&unknown.input).unwrap_or_default();
                    let what = describe_input(&unknown.tool, &input);
                    with_held(format!("{} {what}: {}", unknown.tool, unknown.why), unknown.then)
                });
                waits.push((ExitCode::OutcomeUnknown, WireWait::reconciliation(call, about)));
            }
            // It goes on, and nothing has to be done about it.
            Wait::Job(job) => {
                let about = session.job(job).map_or_else(String::new, going_on);
                waits.push((ExitCode::Completed, WireWait::job(job, about)));
            }
            Wait::Retry(_) => {}
        }
    }
    for (_, wait) in &mut waits {
        for command in &mut wait.answer {
            if let Some(rest) = command.strip_prefix("onward ") {
                *command = format!("{program} {rest}");
            }
        }
    }
    waits
}

/// What is known about an action of unknown outcome, and whether anybody is asked.
fn with_held(known: String, then: OnUnknown) -> String {
    match then {
        OnUnknown::Ask => known,
        OnUnknown::Block => format!("{known}\n{HELD}"),
    }
}

/// The command that looks after the jobs of a session until they have ended, as its rule says or in spite of it.
pub(crate) fn looks_after_jobs(session: &Session, program: &str) -> String {
    let waits = match session.spec().jobs_at_end {
        JobsAtEnd::Leave => " --jobs wait",
        JobsAtEnd::Wait | JobsAtEnd::Cancel => "",
    };
    format!("{program} resume {}{waits}", session.id())
}

/// A job that goes on, in words.
fn going_on(job: &Job) -> String {
    match job.cancel {
        None => job.command.clone(),
        Some(_) => format!("{} (its end is asked for: the next owner sees to it)", job.command),
    }
}

/// What a stand's waits are in the stream.
pub(crate) fn waiting(stand: &Stand) -> Option<Waiting> {
    (!stand.waits.is_empty()).then(|| Waiting { session: stand.outcome.session, on: stand.waits.clone() })
}
