//! The jobs of one session, or of all: a line each, the oldest of a session first.

use std::io::Write as _;

use onward_core::{Job, Session};
use onward_event::{SessionId, Timestamp};
use onward_port::SessionSummary;
use onward_runtime::load;
use onward_wire::terminal::escaped;
use serde_json::json;

use super::fold;
use crate::args::Named;
use crate::commands::start::Start;
use crate::compose::{App, store_error};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{printable, tell};

pub(super) async fn one(
    start: &Start,
    app: &App,
    session: Option<Named<SessionId>>,
    json: bool,
) -> Result<ExitCode, CliError> {
    let summary = app.find(session, &start.dir()).await?;
    let session = fold(app, summary.session).await?;
    let now = app.ports.clock.now();
    let jobs = by_age(&session);
    let lines = jobs.iter().map(|job| if json { json_line(&summary, job) } else { line(job, now) });
    write(lines);
    if jobs.is_empty() && !json {
        tell!("no jobs in {}; `--all` lists those of every session", summary.session);
    }
    Ok(ExitCode::Completed)
}

/// Those of every session of every folder, each with both. What is damaged hides no other: it is an error at the end.
pub(super) async fn all(app: &App, json: bool) -> Result<ExitCode, CliError> {
    let now = app.ports.clock.now();
    let (mut none, mut damaged) = (true, None);
    for summary in app.sessions().await? {
        let session = match load(app.ports.log.as_ref(), summary.session).await {
            Ok(session) => session,
            Err(error) => {
                damaged.get_or_insert(error);
                continue;
            }
        };
        let jobs = by_age(&session);
        none &= jobs.is_empty();
        let dir = printable(&summary.workspace.dir);
        let shown = |job: &&Job| match json {
            true => json_line(&summary, job),
            false => format!("{}  {dir}  {}", summary.session, line(job, now)),
        };
        if !write(jobs.iter().map(shown)) {
            break;
        }
    }
    if none && !json {
        tell!("no jobs in any session");
    }
    damaged.map_or(Ok(ExitCode::Completed), |error| Err(store_error(error)))
}

/// The jobs of a session, the oldest first.
pub(in crate::commands) fn by_age(session: &Session) -> Vec<&Job> {
    let mut jobs: Vec<&Job> = session.jobs().collect();
    jobs.sort_by_key(|job| (job.started, job.id));
    jobs
}

/// A job in a line.
pub(in crate::commands) fn line(job: &Job, now: Timestamp) -> String {
    let until = if job.phase.is_end() { job.at } else { now };
    let seconds = until.millis_since(job.started) / 1_000;
    let known = if job.summary.is_empty() { String::new() } else { format!("  {}", printable(&job.summary)) };
    format!("{}  {:<11}  {seconds:>6} s  {}{known}", job.id, job.phase.name(), printable(&job.command))
}

pub(super) fn json_line(summary: &SessionSummary, job: &Job) -> String {
    let line = json!({
        "session": summary.session,
        "workspace": summary.workspace.dir,
        "job": job.id,
        "call": job.call,
        "phase": job.phase,
        "command": job.command,
        "started": job.started,
        "since": job.at,
        "text": job.summary,
        "artifact": job.artifact,
    });
    escaped(&line.to_string())
}

/// Writes lines; false when the reader is gone and wants no more.
pub(super) fn write(lines: impl Iterator<Item = String>) -> bool {
    let mut out = crate::render::out::stdout();
    let mut lines = lines;
    lines.all(|line| writeln!(out, "{line}").is_ok())
}
