//! `onward log`: everything that happened, and what happens.

use std::io::Write as _;

use onward_event::{Digest, Record, Seq, SessionId};
use onward_port::Log as _;
use onward_runtime::RecordReader;
use onward_wire::Cursor;

use super::start::{Start, introduce};
use crate::args::{LogArgs, OutputArgs};
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{Screen, log_line};

pub(super) async fn run(start: Start, args: LogArgs) -> Result<ExitCode, CliError> {
    let app = start.look_at_sessions()?;
    let summary = app.find(args.session, &start.dir()).await?;
    let after = match args.after {
        Some(cursor) => after_cursor(&app, summary.session, cursor).await?,
        None => Seq(0),
    };
    let mut out = start.screen(OutputArgs { json: args.json, ..OutputArgs::default() });
    introduce(&mut out, &summary);
    let mut reader = RecordReader::new(app.ports.log.as_ref(), summary.session, after);
    loop {
        let records = reader.next_page().await.map_err(store_error)?;
        for (record, hash) in &records {
            if !show(&mut out, record, *hash) {
                return Ok(ExitCode::Completed);
            }
        }
        if !records.is_empty() {
            continue;
        }
        if !args.follow {
            return Ok(ExitCode::Completed);
        }
        tokio::select! {
            () = app.store.changed(summary.session, reader.position()) => {}
            _ = tokio::signal::ctrl_c() => return Ok(ExitCode::Completed),
        }
    }
}

/// Shows a record; false when nobody reads any more.
fn show(out: &mut Screen, record: &Record, hash: Digest) -> bool {
    match out {
        Screen::Json(stream) => {
            stream.record(record, hash);
            true
        }
        _ => writeln!(crate::render::out::stdout(), "{}", log_line(record)).is_ok(),
    }
}

/// The position that a cursor names, if the log still has that very record there.
async fn after_cursor(app: &App, session: SessionId, cursor: Cursor) -> Result<Seq, CliError> {
    if cursor.seq() == Seq(0) {
        return Ok(Seq(0));
    }
    let before = Seq(cursor.seq().0 - 1);
    let found = app.store.read(session, before, 1).await.map_err(store_error)?;
    match found.first() {
        Some(stored) if stored.seq == cursor.seq() && Cursor::new(stored.seq, &stored.hash) == cursor => {
            Ok(stored.seq)
        }
        Some(_) => Err(CliError::new(
            ErrorKind::Store,
            format!(
                "the log has another record at {} than {cursor} names: the two do not share a history",
                cursor.seq()
            ),
        )
        .with_hint(
            "leave --after out to start over: a loss of power may have taken a tail that was not on disk",
        )),
        None => {
            Err(CliError::new(ErrorKind::NotFound, format!("the log ends before record {}", cursor.seq()))
                .with_hint("leave --after out to start over"))
        }
    }
}
