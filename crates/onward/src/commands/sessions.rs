//! `onward sessions`: what there is.

use std::io::Write as _;

use jiff::Timestamp as Instant;
use onward_port::{OwnerState, SessionSummary};
use serde_json::json;

use super::start::Start;
use crate::args::SessionsArgs;
use crate::compose::same_place;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{printable, tell};

pub(super) async fn run(start: Start, args: SessionsArgs) -> Result<ExitCode, CliError> {
    let app = start.app_to_look()?;
    let mut sessions = app.sessions().await?;
    if !args.all {
        let here = start.workspace()?;
        sessions.retain(|summary| same_place(&summary.workspace, &here));
    }
    let mut out = crate::render::out::stdout();
    for summary in &sessions {
        let line = if args.json { json_line(summary) } else { line(summary) };
        // A reader that is gone wants no more lines.
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    if sessions.is_empty() && !args.json {
        tell!(
            "no sessions {}",
            if args.all { "yet" } else { "in this folder; `--all` lists those of others" }
        );
    }
    Ok(ExitCode::Completed)
}

fn state(summary: &SessionSummary) -> &'static str {
    match summary.owner {
        OwnerState::Free => "idle",
        OwnerState::Held { .. } => "running",
        OwnerState::Orphaned { .. } => "interrupted",
    }
}

fn line(summary: &SessionSummary) -> String {
    let updated = Instant::from_millisecond(i64::try_from(summary.updated.0).unwrap_or(i64::MAX));
    let updated = updated.map_or_else(|_| "?".into(), |at| at.strftime("%Y-%m-%d %H:%M").to_string());
    format!(
        "{}  {updated}  {:<11}  {:>6} records  {}/{}  {}",
        summary.session,
        state(summary),
        summary.head.seq,
        summary.spec.model.provider,
        summary.spec.model.model,
        printable(&summary.workspace.dir),
    )
}

fn json_line(summary: &SessionSummary) -> String {
    json!({
        "session": summary.session,
        "created": summary.created,
        "updated": summary.updated,
        "state": state(summary),
        "records": summary.head.seq,
        "model": format!("{}/{}", summary.spec.model.provider, summary.spec.model.model),
        "mode": summary.spec.mode.name(),
        "workspace": summary.workspace.dir,
    })
    .to_string()
}
