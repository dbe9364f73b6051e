//! `onward sessions`: what there is, what each waits for, and what it was asked first.

use std::io::Write as _;

use jiff::Timestamp as Instant;
use onward_event::{Event, Mode, Record, Seq};
use onward_port::{Log as _, OwnerState, SessionSummary};
use serde_json::json;

use super::standing::{Standing, standing};
use super::start::Start;
use crate::args::SessionsArgs;
use crate::compose::{App, same_place, store_error};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{content_words, printable, tell};

/// Characters of a task that a line shows.
const SHOWN_TASK_CHARS: usize = 60;
/// Records in which the first message of a session is looked for.
const FIRST_RECORDS: usize = 16;

pub(super) async fn run(start: Start, args: SessionsArgs) -> Result<ExitCode, CliError> {
    let mut sessions = Vec::new();
    if let Some(app) = start.view()? {
        sessions = app.sessions().await?;
        if !args.all {
            let here = start.workspace()?;
            sessions.retain(|summary| same_place(&summary.workspace, &here));
        }
        list(&app, &sessions, args).await?;
    }
    if sessions.is_empty() && !args.json {
        tell!(
            "no sessions {}",
            if args.all { "yet" } else { "in this folder; `--all` lists those of others" }
        );
    }
    Ok(ExitCode::Completed)
}

async fn list(app: &App, sessions: &[SessionSummary], args: SessionsArgs) -> Result<(), CliError> {
    let mut out = crate::render::out::stdout();
    for summary in sessions {
        let (standing, task) = (standing(app, summary).await, task(app, summary).await?);
        let line =
            if args.json { json_line(summary, standing, &task) } else { line(summary, standing, &task) };
        // A reader that is gone wants no more lines.
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    Ok(())
}

/// The words of the first message.
async fn task(app: &App, summary: &SessionSummary) -> Result<String, CliError> {
    let stored = app.store.read(summary.session, Seq(0), FIRST_RECORDS).await.map_err(store_error)?;
    let records = stored.iter().filter_map(|stored| Record::from_bytes(&stored.bytes).ok());
    let words = records.into_iter().find_map(|record| match record.event {
        Event::InboxReceived(received) => Some(content_words(&received.message.content)),
        _ => None,
    });
    Ok(words.unwrap_or_default())
}

fn owner_state(summary: &SessionSummary) -> &'static str {
    match summary.owner {
        OwnerState::Free => "idle",
        OwnerState::Held { .. } => "running",
        OwnerState::Orphaned { .. } => "interrupted",
    }
}

fn line(summary: &SessionSummary, standing: Standing, task: &str) -> String {
    let updated = Instant::from_millisecond(i64::try_from(summary.updated.0).unwrap_or(i64::MAX));
    let updated = updated.map_or_else(|_| "?".into(), |at| at.strftime("%Y-%m-%d %H:%M").to_string());
    format!(
        "{}  {updated}  {:<21}  {}/{}{}  {}  {}",
        summary.session,
        standing.words(),
        summary.spec.model.provider,
        summary.spec.model.model,
        if summary.spec.mode == Mode::Bypass { " (bypass)" } else { "" },
        printable(&summary.workspace.dir),
        shortened(task),
    )
}

fn shortened(task: &str) -> String {
    let words = printable(&task.split_whitespace().collect::<Vec<_>>().join(" "));
    match words.char_indices().nth(SHOWN_TASK_CHARS) {
        Some((at, _)) => format!("{}…", &words[..at]),
        None => words,
    }
}

fn json_line(summary: &SessionSummary, standing: Standing, task: &str) -> String {
    json!({
        "session": summary.session,
        "created": summary.created,
        "updated": summary.updated,
        "state": owner_state(summary),
        "standing": standing.name(),
        "records": summary.head.seq,
        "model": format!("{}/{}", summary.spec.model.provider, summary.spec.model.model),
        "mode": summary.spec.mode.name(),
        "workspace": summary.workspace.dir,
        "task": task.chars().take(SHOWN_TASK_CHARS).collect::<String>(),
    })
    .to_string()
}
