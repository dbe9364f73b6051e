//! What waits for a person's word in some sessions: questions and unknown outcomes, each with the commands that answer
//! it. A command that cannot tell which one is meant guesses nothing and lists them.

use std::fmt::Display;

use onward_core::{Job, Session, UnknownCall};
use onward_event::{ApprovalRequested, CallId, JobId, JobState};
use onward_port::SessionSummary;
use onward_runtime::load;

use crate::args::Named;
use crate::compose::{App, same_place, store_error};
use crate::error::{CliError, ErrorKind};
use crate::render::describe_input;

use super::start::Start;

/// How many a list shows.
const SHOWN: usize = 8;

/// Something that a person has to say a word about.
pub(super) struct Answerable<T> {
    /// The session in which it waits.
    pub(super) summary: SessionSummary,
    /// What waits.
    pub(super) open: T,
    /// By what a command names it.
    pub(super) name: String,
    /// What it is about, in a line.
    pub(super) about: String,
}

/// An open question.
pub(super) type Question = Answerable<ApprovalRequested>;

/// An outcome that nobody knows: of a call, or of the job that it became.
pub(super) type Unsettled = Answerable<CallId>;

/// The open questions of these sessions.
///
/// # Errors
/// When a log cannot be read.
pub(super) async fn questions(app: &App, sessions: &[SessionSummary]) -> Result<Vec<Question>, CliError> {
    collect(app, sessions, |session| {
        session.open_approvals().map(|open| question(session, &open.request)).collect::<Vec<_>>()
    })
    .await
}

/// The unknown outcomes of these sessions.
///
/// # Errors
/// When a log cannot be read.
pub(super) async fn unsettled(app: &App, sessions: &[SessionSummary]) -> Result<Vec<Unsettled>, CliError> {
    collect(app, sessions, |session| {
        let jobs = session.jobs().filter(|job| job.phase == JobState::Reconciling).map(unknown_job);
        session.unknown_calls().map(unknown_call).chain(jobs).collect()
    })
    .await
}

/// The sessions in which something without an id is looked for: the named one, or all of this folder.
///
/// # Errors
/// When there is no such session, or the folder is not there.
pub(super) async fn sessions_here(
    start: &Start,
    app: &App,
    session: Option<Named<onward_event::SessionId>>,
) -> Result<Vec<SessionSummary>, CliError> {
    if session.is_some() {
        return Ok(vec![app.find(session, &start.dir()).await?]);
    }
    let here = start.workspace()?;
    let all = app.sessions().await?;
    Ok(all.into_iter().filter(|summary| same_place(&summary.workspace, &here)).collect())
}

/// Nothing was done, because it is not clear which of these is meant, or none is: with the commands that say it.
pub(super) fn unclear<T>(
    kind: ErrorKind,
    message: impl Into<String>,
    all: &[Answerable<T>],
    commands: impl Fn(&Answerable<T>) -> Vec<String>,
) -> CliError {
    let error = CliError::new(kind, message);
    if all.is_empty() {
        return error.with_hint("`onward sessions --all` says which sessions wait");
    }
    let mut lines = vec!["what waits, and how it is answered:".to_owned()];
    for item in all.iter().take(SHOWN) {
        lines.push(format!("{}: {}", item.summary.session, item.about));
        lines.extend(commands(item).into_iter().map(|command| format!("  {command}")));
    }
    if let Some(more @ 1..) = all.len().checked_sub(SHOWN) {
        lines.push(format!("… and {more} more: `onward sessions --all` lists the sessions"));
    }
    error.with_hint(lines.join("\n"))
}

type Found<T> = (T, String, String);

async fn collect<T>(
    app: &App,
    sessions: &[SessionSummary],
    of: impl Fn(&Session) -> Vec<Found<T>>,
) -> Result<Vec<Answerable<T>>, CliError> {
    let mut all = Vec::new();
    for summary in sessions {
        let session = load(app.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
        let found = of(&session).into_iter();
        all.extend(found.map(|(open, name, about)| Answerable {
            summary: summary.clone(),
            open,
            name,
            about,
        }));
    }
    Ok(all)
}

/// By the file that a tool names, where it names one: the preview of a change begins with its details.
fn question(session: &Session, asked: &ApprovalRequested) -> Found<ApprovalRequested> {
    let input = session.call(asked.call).map(|call| &call.proposal.input);
    let about = match input.filter(|input| input.get("path").is_some()) {
        Some(input) => line(&asked.tool, describe_input(&asked.tool, input)),
        None => line(&asked.tool, asked.preview.lines().next().unwrap_or_default()),
    };
    (asked.clone(), asked.approval.to_string(), about)
}

fn unknown_call(unknown: &UnknownCall) -> Found<CallId> {
    let input = serde_json::from_str(&unknown.input).unwrap_or_default();
    let about = line(&unknown.tool, describe_input(&unknown.tool, &input));
    (unknown.call, unknown.call.to_string(), about)
}

fn unknown_job(job: &Job) -> Found<CallId> {
    let about = line(&job.begun.tool, job.command.lines().next().unwrap_or_default());
    (job.call, JobId::of(job.call).to_string(), about)
}

fn line(tool: &str, what: impl Display) -> String {
    format!("{tool} {what}").trim_end().to_owned()
}
