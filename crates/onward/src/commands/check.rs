//! `onward check`: whether a log is whole and keeps its promises.

use std::io::Write as _;

use onward_event::SessionId;
use onward_port::SHORTEST_SECRET;
use onward_runtime::check_session;

use super::start::Start;
use crate::args::CheckArgs;
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::counted;

pub(super) async fn run(start: Start, args: CheckArgs) -> Result<ExitCode, CliError> {
    let app = start.look_at_sessions()?;
    let sessions = match args.all {
        true => app.sessions().await?.into_iter().map(|summary| summary.session).collect(),
        false => vec![app.find(args.session, &start.dir()).await?.session],
    };
    let mut wrong = 0;
    for session in &sessions {
        wrong += usize::from(!check_one(&app, *session).await);
    }
    app.store.whole().map_err(store_error)?;
    match wrong {
        0 => Ok(ExitCode::Completed),
        _ => Err(CliError::new(ErrorKind::Store, wrong_ones(wrong, sessions.len()))
            .with_hint("keep a copy of the data folder; the records before the named ones can be trusted")),
    }
}

fn wrong_ones(wrong: usize, of: usize) -> String {
    match of {
        1 => "the session is not as it should be; nothing was changed".into(),
        of => format!("{wrong} of {of} sessions are not as they should be; nothing was changed"),
    }
}

/// The values that no record may hold.
fn secrets(app: &App) -> Vec<String> {
    let secrets = app.config.secrets(&app.environment).into_iter();
    let values = secrets.map(|secret| secret.value.expose().to_owned());
    values.filter(|value| value.len() >= SHORTEST_SECRET).collect()
}

/// Says what is wrong with a session's log; true when nothing is.
async fn check_one(app: &App, session: SessionId) -> bool {
    let mut out = crate::render::out::stdout();
    // A reader that is gone does not change the verdict, which is the exit code.
    let mut say = |line: String| drop(writeln!(out, "{line}"));
    let report = match check_session(&app.ports, session, secrets(app)).await {
        Ok(report) => report,
        Err(error) => {
            say(format!("{session}: {error}"));
            return false;
        }
    };
    for violation in &report.violations {
        say(format!("{session}: {violation}"));
    }
    for (seq, what) in &report.unverifiable {
        say(format!("{session}: record {seq} cannot be verified by this version: {what}"));
    }
    if report.is_clean() {
        let records = counted(report.records as u64, "record");
        say(format!("{session}: {records}, all as they should be"));
    }
    report.violations.is_empty()
}
