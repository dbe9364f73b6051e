//! `onward sessions`: what there is, what each waits for, and what it was asked first.

use std::io::Write as _;

use jiff::Timestamp as Instant;
use onward_event::Mode;
use onward_port::{OwnerState, SessionSummary};
use onward_wire::terminal::escaped;
use serde_json::json;

use super::standing::{Standing, standing};
use super::start::Start;
use super::task::{SHOWN_TASK_CHARS, shortened, task};
use crate::args::SessionsArgs;
use crate::compose::{App, same_place, store_error};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{printable, tell};

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
    let mut damaged = None;
    for summary in sessions {
        let (mut standing, mut damage) = standing(app, summary).await;
        let (task, whole) = task(app, summary).await;
        if let Err(error) = whole {
            standing = Standing::Damaged;
            damage.get_or_insert(error);
        }
        damaged = damaged.or(damage);
        let line =
            if args.json { json_line(summary, standing, &task) } else { line(summary, standing, &task) };
        // A reader that is gone wants no more lines.
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    // Each is listed; the first that is damaged is named with its record.
    damaged.map_or(Ok(()), |error| Err(store_error(error)))
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

fn json_line(summary: &SessionSummary, standing: Standing, task: &str) -> String {
    let line = json!({
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
    });
    escaped(&line.to_string())
}
