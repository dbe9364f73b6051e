//! Driving a session from the command line: own it, show what happens, and say how it stands in the end.

use std::convert::Infallible;
use std::future::pending;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use onward_core::{Ended, Job, Session, Wait};
use onward_event::{
    ApprovalRequested, ApprovalScope, ApprovalVerdict, JobId, JobState, Seq, SessionId, TurnTerminal, Usage,
};
use onward_port::Log;
use onward_runtime::{GivenBack, Live, Owner, OwnerError, Ports, Quiet, RuntimeConfig, load};
use onward_wire::{Outcome, Wait as WireWait, WaitKind, Waiting};
use tokio::sync::oneshot;

use crate::args::JobsAtEnd;
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{Screen, describe_input, watch};
use crate::signals::{Asked, Signals};

/// How long an orderly end may take; past it, the next owner recovers what is open.
pub(crate) const PAUSE_LIMIT: Duration = Duration::from_secs(5);

/// What happens to questions when nobody is there to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// The work waits.
    Wait,
    /// The answer is no.
    Deny,
}

/// How a command works on a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) unanswered: Unanswered,
    /// What becomes of jobs when nothing else is left to do.
    pub(crate) jobs: JobsAtEnd,
    /// The last record that a client of the stream knows.
    pub(crate) since: Seq,
}

impl Manner {
    /// Questions wait, and jobs are waited for.
    pub(crate) const PATIENT: Self =
        Self { unanswered: Unanswered::Wait, jobs: JobsAtEnd::Wait, since: Seq(u64::MAX) };
}

/// How a session stands when there is nothing left to do without somebody.
pub(crate) struct Stand {
    pub(crate) code: ExitCode,
    pub(crate) outcome: Outcome,
    /// What it waits for.
    pub(crate) waits: Vec<WireWait>,
    /// The questions among that, as a person is shown them.
    pub(crate) asked: Vec<ApprovalRequested>,
    /// Whether there is something that `resume` would go on with, before anybody has answered anything.
    pub(crate) resumable: bool,
}

/// Works on a session until nothing is left to do, and shows it.
///
/// # Errors
/// When it is owned elsewhere, or the log cannot be used.
pub(crate) async fn drive(
    app: &App,
    ports: Ports,
    session: SessionId,
    screen: Screen,
    manner: Manner,
) -> (Screen, Result<Stand, CliError>) {
    let live = Live::new();
    let mut owner = match acquire(ports, app.runtime(), session, live.clone()).await {
        Ok(owner) => owner,
        Err(error) => return (screen, Err(error)),
    };
    let seen = match &screen {
        Screen::Json(_) => owner.session().head().min(manner.since),
        Screen::Quiet(_) | Screen::Conversation(_) => owner.session().head(),
    };
    let log = app.ports.log.clone();
    let work = async move {
        loop {
            let end = until_quiet(app, &mut owner, session, manner).await?;
            let stand = stand(owner.session(), &end, &app.program);
            let given_back = match end {
                End::Left => owner.pause(PAUSE_LIMIT).await.map(|()| GivenBack::Done),
                End::Quiet | End::Denied => owner.release().await,
            };
            match given_back.map_err(owner_error)? {
                GivenBack::Done => return Ok(stand),
                GivenBack::GoOn(still) => owner = *still,
            }
        }
    };
    shown(&log, session, seen, &live, screen, work).await
}

/// Shows what happens in a session while `work` goes on; gives the screen back when everything is shown.
pub(crate) async fn shown<T>(
    log: &Arc<dyn Log>,
    session: SessionId,
    seen: Seq,
    live: &Live,
    screen: Screen,
    work: impl Future<Output = T>,
) -> (Screen, T) {
    let (stop, stopped) = oneshot::channel();
    let watcher = tokio::spawn(watch(log.clone(), session, seen, live.watch(), screen, stopped));
    let result = work.await;
    // The watcher shows what is still missing, whether it hears this or is done already.
    let _ = stop.send(());
    (watcher.await.unwrap_or_else(|_| Screen::lost()), result)
}

/// Takes ownership.
///
/// # Errors
/// When it is owned elsewhere, or the log cannot be used.
pub(crate) async fn acquire(
    ports: Ports,
    runtime: RuntimeConfig,
    session: SessionId,
    live: Live,
) -> Result<Owner, CliError> {
    Owner::acquire(ports, runtime, session, live).await.map_err(owner_error)
}

/// How driving ended.
enum End {
    Quiet,
    /// Quiet, and at least one question was answered with no because nobody was there.
    Denied,
    /// Told to end in the middle.
    Left,
}

async fn until_quiet(
    app: &App,
    owner: &mut Owner,
    session: SessionId,
    manner: Manner,
) -> Result<End, CliError> {
    let mut signals = Signals::listen()?;
    let mut denied = false;
    loop {
        // Whoever is asked should not have to wait for a job to hear of it.
        let asked_now = owner.session().open_approvals().next().is_some();
        let awaited = if manner.jobs == JobsAtEnd::Wait && !asked_now { Awaited::All } else { Awaited::None };
        let quiet = attended(app, owner, session, &mut signals, awaited, pending()).await?;
        if quiet == Quiet::Stopped {
            return Ok(End::Left);
        }
        let asked: Vec<_> = owner.session().open_approvals().map(|open| open.request.approval).collect();
        if asked.is_empty() || manner.unanswered == Unanswered::Wait {
            if manner.jobs == JobsAtEnd::Cancel && cancel_jobs(app, owner).await? {
                attended(app, owner, session, &mut signals, Awaited::All, pending()).await?;
            }
            return Ok(if denied { End::Denied } else { End::Quiet });
        }
        denied = true;
        for approval in asked {
            let (verdict, scope) = (ApprovalVerdict::Reject, ApprovalScope::Once);
            let words = "nobody is there to approve it, and unanswered questions count as no".to_owned();
            let answer = app.client.resolve(session, approval, verdict, scope, Some(words)).await;
            answer.map_err(store_error)?;
        }
    }
}

/// Asks for the end of every job that runs. False when there is none.
async fn cancel_jobs(app: &App, owner: &Owner) -> Result<bool, CliError> {
    let session = owner.session();
    let running: Vec<_> =
        session.jobs().filter(|job| job.phase == JobState::Running).map(|job| job.id).collect();
    for job in &running {
        app.client.cancel_job(session.id(), *job).await.map_err(store_error)?;
    }
    Ok(!running.is_empty())
}

/// The jobs whose end is waited for before a session is quiet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Awaited {
    /// None: they are watched, and go on.
    None,
    /// This one.
    One(JobId),
    /// All.
    All,
}

impl Awaited {
    fn has(self, job: JobId) -> bool {
        match self {
            Self::None => false,
            Self::One(id) => id == job,
            Self::All => true,
        }
    }
}

/// Drives until quiet while `aside` goes on: the first interrupt cancels the turn, the second one and the signals to
/// end make it stop at a safe point. When no turn is open and only jobs are waited for, there is nothing to cancel: the
/// first interrupt ends the waiting, and the jobs go on.
pub(crate) async fn attended(
    app: &App,
    owner: &mut Owner,
    session: SessionId,
    signals: &mut Signals,
    awaited: Awaited,
    aside: impl Future<Output = Result<Infallible, CliError>>,
) -> Result<Quiet, CliError> {
    let stopper = owner.stopper();
    let (mut driving, mut aside) = (pin!(owner.drive_awaiting(move |job| awaited.has(job))), pin!(aside));
    let mut interrupted = false;
    loop {
        tokio::select! {
            quiet = &mut driving => return quiet.map_err(|error| stopped(app, session, error)),
            asked = signals.next() => match asked {
                Asked::Interrupt if !interrupted => {
                    interrupted = true;
                    match only_jobs_run(app, session).await? {
                        true => stopper.cancel(),
                        false => app.client.interrupt(session).await.map_err(store_error)?,
                    }
                }
                Asked::Interrupt | Asked::End => stopper.cancel(),
            },
            failed = &mut aside => match failed {
                Err(error) => return Err(error),
                Ok(never) => match never {},
            },
        }
    }
}

/// Whether no turn is open, and at least one job runs.
async fn only_jobs_run(app: &App, session: SessionId) -> Result<bool, CliError> {
    let session = load(app.ports.log.as_ref(), session, 0).await.map_err(store_error)?;
    Ok(session.turn().is_none() && session.jobs().any(|job| job.phase == JobState::Running))
}

fn stand(session: &Session, end: &End, program: &str) -> Stand {
    let resume = format!("{program} resume {}", session.id());
    let waits = waits_of(session, program);
    let ended = session.last_end();
    let open = session.turn().is_some() || !session.continuations().is_empty();
    let code = match (end, ended) {
        _ if waits.iter().any(|(code, _)| *code == ExitCode::OutcomeUnknown) => ExitCode::OutcomeUnknown,
        (End::Left, _) => ExitCode::Interrupted,
        _ if waits.iter().any(|(code, _)| *code == ExitCode::Waiting) => ExitCode::Waiting,
        (End::Denied, _) => ExitCode::Denied,
        (End::Quiet, Some(ended)) => ExitCode::of_turn(ended.end.terminal, ended.end.stop),
        (End::Quiet, None) => ExitCode::Completed,
    };
    let waits: Vec<WireWait> = waits.into_iter().map(|(_, wait)| wait).collect();
    let next = match (open, ended) {
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
    Stand { code, outcome: outcome(session, ended, code, next, resume), waits, asked, resumable }
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
                let known = session.job(job).map(|job| format!("{}: {}", job.command, job.summary));
                let wait = WireWait::job_reconciliation(job, known.unwrap_or_default());
                waits.push((ExitCode::OutcomeUnknown, wait));
            }
            Wait::Settlement(call) => {
                let unknown = session.unknown_calls().find(|unknown| unknown.call == call);
                let about = unknown.map_or_else(String::new, |unknown| {
                    let input = serde_json::from_str(&unknown.input).unwrap_or_default();
                    format!("{} {}: {}", unknown.tool, describe_input(&unknown.tool, &input), unknown.why)
                });
                waits.push((ExitCode::OutcomeUnknown, WireWait::reconciliation(call, about)));
            }
            // It goes on, and nothing has to be done about it.
            Wait::Job(job) => {
                let about = session.job(job).map_or_else(String::new, |job| job.command.clone());
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

/// What a stand's waits are in the stream.
pub(crate) fn waiting(stand: &Stand) -> Option<Waiting> {
    (!stand.waits.is_empty()).then(|| Waiting { session: stand.outcome.session, on: stand.waits.clone() })
}

/// Why the work stopped, and how it goes on if that can pass.
fn stopped(app: &App, session: SessionId, error: OwnerError) -> CliError {
    let passes = matches!(&error, OwnerError::Log(error) if error.may_pass());
    let told = owner_error(error);
    match passes {
        true => told.with_hint(format!("`{} resume {session}` goes on", app.program)),
        false => told,
    }
}

/// A failure of the owner, for people.
pub(crate) fn owner_error(error: OwnerError) -> CliError {
    match error {
        OwnerError::Log(error) => store_error(error),
        other => CliError::new(ErrorKind::Runtime, other.to_string()),
    }
}
