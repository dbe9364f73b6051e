//! `onward request show`: the exact bytes that a model was sent, made again from the log.

use std::collections::BTreeSet;
use std::io::IsTerminal as _;

use onward_event::{AttemptId, Event, Record, Seq, StepId};
use onward_runtime::{load_undamaged, rebuild};

use super::start::Start;
use crate::args::{Named, RequestArgs, RequestCommand};
use crate::compose::{App, only, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::out::data;
use crate::render::tell;

pub(super) async fn run(start: Start, args: RequestArgs) -> Result<ExitCode, CliError> {
    let RequestCommand::Show { attempt } = args.command;
    let app = start.look_at_sessions()?;
    let attempt = whole(&app, attempt).await?;
    let mut damage = None;
    for summary in app.sessions().await? {
        let (records, whole) = load_undamaged(app.ports.log.as_ref(), summary.session, Seq(0)).await;
        damage = damage.or(whole.err());
        let mut records: Vec<Record> = records.into_iter().map(|(record, _)| record).collect();
        let Some((at, step)) = find(&records, attempt) else { continue };
        records.truncate(at);
        let rebuilt = rebuild(&app.ports, &records, step).await;
        let rebuilt = rebuilt.map_err(|error| {
            CliError::new(ErrorKind::Store, format!("the request of {attempt} cannot be made again: {error}"))
        })?;
        if rebuilt.digest != rebuilt.prepared.digest {
            let message = format!(
                "the request of {attempt} is not what was recorded: its digest was {} and is {}",
                rebuilt.prepared.digest, rebuilt.digest
            );
            return Err(
                CliError::new(ErrorKind::Store, message).with_hint("`onward check` says what is damaged")
            );
        }
        let end: &[u8] = if std::io::stdout().is_terminal() { b"\n" } else { b"" };
        // A reader that is gone wants no more.
        let _ = data(&[rebuilt.body.as_slice(), end].concat());
        tell!("digest {} as recorded, {} bytes", rebuilt.digest, rebuilt.body.len());
        return Ok(ExitCode::Completed);
    }
    // It may stand where nobody can read it.
    if let Some(damage) = damage {
        return Err(store_error(damage));
    }
    Err(CliError::new(ErrorKind::NotFound, format!("there is no attempt {attempt}"))
        .with_hint("`onward log` names the attempts of a session"))
}

/// The attempt that is meant.
async fn whole(app: &App, named: Named<AttemptId>) -> Result<AttemptId, CliError> {
    if let Some(attempt) = named.whole() {
        return Ok(attempt);
    }
    let (mut fitting, mut damage) = (BTreeSet::new(), None);
    for summary in app.sessions().await? {
        let (records, whole) = load_undamaged(app.ports.log.as_ref(), summary.session, Seq(0)).await;
        damage = damage.or(whole.err());
        fitting.extend(records.into_iter().filter_map(|(record, _)| match record.event {
            Event::AttemptStart(start) if named.fits(start.attempt) => Some(start.attempt),
            _ => None,
        }));
    }
    match damage {
        // It may stand where nobody can read it.
        Some(damage) if fitting.is_empty() => Err(store_error(damage)),
        _ => only(named, &fitting),
    }
}

/// Where the attempt started, and whose it is.
fn find(records: &[Record], attempt: AttemptId) -> Option<(usize, StepId)> {
    records.iter().enumerate().find_map(|(at, record)| match &record.event {
        Event::AttemptStart(start) if start.attempt == attempt => Some((at, start.step)),
        _ => None,
    })
}
