//! `onward jobs`: what runs in the background, what it says, and its end.

use std::io::Write as _;
use std::time::Duration;

use onward_core::{Job, Session};
use onward_event::{Event, Handle, JobId, JobState, Seq, SessionId, Timestamp};
use onward_port::{Blobs as _, SessionSummary};
use onward_runtime::{Live, load, load_records};
use serde_json::json;

use super::start::{Start, is_held};
use crate::args::{JobsArgs, JobsCommand, Named};
use crate::compose::{App, store_error};
use crate::drive::{Awaited, acquire, attended, owner_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{printable, tell};
use crate::signals::Signals;

/// Bytes of output shown at once.
const PAGE: usize = 64 << 10;
/// The pause between two looks at a job that says nothing.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) async fn run(start: Start, args: JobsArgs) -> Result<ExitCode, CliError> {
    let app = start.look_at_sessions()?;
    match args.command {
        None => list(&start, &app, args.session, args.json).await,
        Some(JobsCommand::Output { job, follow }) => {
            output(&app, app.whole(job, all_jobs).await?, follow).await
        }
        Some(JobsCommand::Cancel { job, no_run }) => {
            cancel(&app, app.whole(job, all_jobs).await?, no_run).await
        }
    }
}

fn all_jobs(session: &Session) -> Vec<JobId> {
    session.jobs().map(|job| job.id).collect()
}

async fn list(
    start: &Start,
    app: &App,
    session: Option<Named<SessionId>>,
    json: bool,
) -> Result<ExitCode, CliError> {
    let summary = app.find(session, &start.dir()).await?;
    let session = fold(app, summary.session).await?;
    let now = app.ports.clock.now();
    let jobs = by_age(&session);
    let mut out = crate::render::out::stdout();
    for job in &jobs {
        let line = if json { json_line(job) } else { line(job, now) };
        // A reader that is gone wants no more lines.
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    if jobs.is_empty() && !json {
        tell!("no jobs in {}", summary.session);
    }
    Ok(ExitCode::Completed)
}

/// The jobs of a session, the oldest first.
pub(super) fn by_age(session: &Session) -> Vec<&Job> {
    let mut jobs: Vec<&Job> = session.jobs().collect();
    jobs.sort_by_key(|job| (job.started, job.id));
    jobs
}

/// A job in a line.
pub(super) fn line(job: &Job, now: Timestamp) -> String {
    let until = if job.phase.is_end() { job.at } else { now };
    let seconds = until.millis_since(job.started) / 1_000;
    let known = if job.summary.is_empty() { String::new() } else { format!("  {}", printable(&job.summary)) };
    format!("{}  {:<11}  {seconds:>6} s  {}{known}", job.id, job.phase.name(), printable(&job.command))
}

fn json_line(job: &Job) -> String {
    json!({
        "job": job.id,
        "call": job.call,
        "phase": job.phase,
        "command": job.command,
        "started": job.started,
        "since": job.at,
        "text": job.summary,
        "artifact": job.artifact,
    })
    .to_string()
}

async fn output(app: &App, id: JobId, follow: bool) -> Result<ExitCode, CliError> {
    let summary = find(app, id).await?;
    let mut offset = 0;
    loop {
        // Looked at before its output: what it says until its end is shown in any case.
        let job = job_of(&fold(app, summary.session).await?, id)?;
        let shown = match job.artifact {
            Some(_) => show_stored(app, summary.session, &job, offset).await?,
            None if job.phase.is_end() => 0,
            None => show_running(app, &job, offset).await?,
        };
        offset += shown;
        if job.phase.is_end() || (!follow && shown == 0) {
            return Ok(ExitCode::Completed);
        }
        if shown == 0 {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Shows the next part of what a job that runs has said; how many bytes.
async fn show_running(app: &App, job: &Job, offset: u64) -> Result<u64, CliError> {
    let (Some(executor), Handle::Supervised { name, place, .. }) =
        (&app.ports.executor, &job.begun.start.handle)
    else {
        return Ok(0);
    };
    match executor.output(name, place, offset, PAGE).await {
        Ok(output) => Ok(write(&output.bytes)),
        // It may have ended between the two looks; the next one tells.
        Err(_) if job.phase == JobState::Running => Ok(0),
        Err(why) => Err(CliError::new(ErrorKind::NotFound, why)),
    }
}

/// Shows the rest of a stored output; how many bytes.
async fn show_stored(app: &App, session: SessionId, job: &Job, offset: u64) -> Result<u64, CliError> {
    let records = load_records(app.ports.log.as_ref(), session, Seq(0)).await.map_err(store_error)?;
    let stored = records.iter().find_map(|(record, _)| match &record.event {
        Event::ArtifactStored(stored) if Some(stored.artifact) == job.artifact => Some(stored.hash),
        _ => None,
    });
    let Some(hash) = stored else { return Ok(0) };
    let bytes = app.store.get(hash).await.map_err(store_error)?;
    let bytes =
        bytes.ok_or_else(|| CliError::new(ErrorKind::Store, "its output is missing from the store"))?;
    let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    Ok(write(&bytes[from..]))
}

fn write(bytes: &[u8]) -> u64 {
    // A reader that is gone wants no more of it.
    let _ = crate::render::out::data(bytes);
    bytes.len() as u64
}

async fn cancel(app: &App, id: JobId, no_run: bool) -> Result<ExitCode, CliError> {
    let summary = find(app, id).await?;
    let job = job_of(&fold(app, summary.session).await?, id)?;
    if job.phase.is_end() {
        tell!("{id} has ended already: {}", job.phase.name());
        return Ok(ExitCode::Completed);
    }
    app.client.cancel_job(summary.session, id).await.map_err(store_error)?;
    if is_held(&summary) || no_run {
        tell!("the request to end {id} is recorded in {}", summary.session);
        return Ok(ExitCode::Completed);
    }
    // Nobody works on the session: this process ends the job, and records what became of it.
    let ports = app.ports_to_stop(&summary.spec.model.provider, &summary.workspace)?;
    let mut owner = acquire(ports, app.runtime(), summary.session, Live::new()).await?;
    let mut signals = Signals::listen()?;
    let (awaited, nothing) = (Awaited::One(id), std::future::pending());
    attended(app, &mut owner, summary.session, &mut signals, awaited, nothing).await?;
    let job = job_of(owner.session(), id)?;
    // What somebody says at this very moment is not what this command is for.
    owner.abandon().await.map_err(owner_error)?;
    tell!("{}", line(&job, app.ports.clock.now()));
    Ok(ExitCode::Completed)
}

/// The session that has the job: the latest ones are looked at first.
async fn find(app: &App, id: JobId) -> Result<SessionSummary, CliError> {
    for summary in app.sessions().await? {
        if fold(app, summary.session).await?.job(id).is_some() {
            return Ok(summary);
        }
    }
    Err(CliError::new(ErrorKind::NotFound, format!("there is no job {id}"))
        .with_hint("`onward jobs` lists them"))
}

async fn fold(app: &App, session: SessionId) -> Result<Session, CliError> {
    load(app.ports.log.as_ref(), session, 0).await.map_err(store_error)
}

fn job_of(session: &Session, id: JobId) -> Result<Job, CliError> {
    let gone = || CliError::new(ErrorKind::NotFound, format!("{id} is not known any more"));
    session.job(id).cloned().ok_or_else(gone)
}
