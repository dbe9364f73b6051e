//! What a job has said: from its supervisor's folder while it runs, from the store afterwards.

use std::time::Duration;

use onward_core::Job;
use onward_event::{Event, Handle, JobId, JobState, Seq, SessionId};
use onward_port::{Blobs as _, Output};
use onward_runtime::load_records;

use super::{find, fold, job_of};
use crate::args::OutputRange;
use crate::commands::start::is_held;
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;

/// Bytes of output shown at once.
const PAGE: usize = 64 << 10;
/// The pause between two looks at a job that says nothing.
const PAUSE: Duration = Duration::from_millis(100);

/// Shows all of it, and with `follow` what it says until its end.
pub(super) async fn show(app: &App, id: JobId, from: u64, follow: bool) -> Result<ExitCode, CliError> {
    let summary = find(app, id).await?;
    let mut offset = from;
    loop {
        // Looked at before its output: what it says until its end is shown in any case.
        let job = job_of(&fold(app, summary.session).await?, id)?;
        let over = is_over(app, &job);
        let output = read(app, summary.session, &job, offset, PAGE).await?;
        // What was shown stays shown, also where nothing of it was kept.
        if offset == from && (job.phase.is_end() || !follow) {
            within(offset, &output)?;
        }
        let shown = write(&output.bytes);
        offset += shown;
        let all = shown == 0 || (job.artifact.is_some() && offset >= output.kept);
        if all && (job.phase.is_end() || !follow) {
            return Ok(ExitCode::Completed);
        }
        if shown == 0 && over && !is_held(&find(app, id).await?) {
            tell!("its command has ended; `{} resume {}` records that", app.program, summary.session);
            return Ok(ExitCode::Completed);
        }
        if shown == 0 {
            tokio::time::sleep(PAUSE).await;
        }
    }
}

/// Whether its command is known to have ended, although its end is not recorded.
fn is_over(app: &App, job: &Job) -> bool {
    match (&app.ports.executor, &job.begun.start.handle) {
        (Some(executor), Handle::Supervised { name, place, .. }) => executor.is_over(name, place),
        _ => false,
    }
}

/// Shows so many bytes of it, from an offset on or those that were said last, and says which they are.
pub(super) async fn show_range(app: &App, id: JobId, range: OutputRange) -> Result<ExitCode, CliError> {
    let summary = find(app, id).await?;
    let job = job_of(&fold(app, summary.session).await?, id)?;
    let limit = range.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let start = match range.offset {
        Some(offset) => offset,
        None => {
            let kept = read(app, summary.session, &job, 0, 0).await?.kept;
            kept.saturating_sub(u64::try_from(limit).unwrap_or(u64::MAX))
        }
    };
    let (mut next, mut left) = (start, limit);
    loop {
        let output = read(app, summary.session, &job, next, left.min(PAGE)).await?;
        within(next, &output)?;
        let shown = write(&output.bytes);
        next += shown;
        left -= output.bytes.len();
        if shown == 0 || left == 0 {
            let end = if job.phase.is_end() { "" } else { " so far" };
            tell!("bytes {start} to {next} of {}{end}", output.kept);
            return Ok(ExitCode::Completed);
        }
    }
}

/// What begins behind the end is no range of it.
fn within(offset: u64, output: &Output) -> Result<(), CliError> {
    match offset > output.kept {
        true => Err(CliError::new(
            ErrorKind::Usage,
            format!("there is nothing at offset {offset}: {} bytes were said", output.kept),
        )),
        false => Ok(()),
    }
}

/// A part of the output, wherever it is.
async fn read(
    app: &App,
    session: SessionId,
    job: &Job,
    offset: u64,
    limit: usize,
) -> Result<Output, CliError> {
    match job.artifact {
        Some(_) => read_stored(app, session, job, offset, limit).await,
        None if job.phase.is_end() => Ok(NOTHING),
        None => read_running(app, job, offset, limit).await,
    }
}

/// No output.
const NOTHING: Output = Output { bytes: Vec::new(), kept: 0 };

async fn read_running(app: &App, job: &Job, offset: u64, limit: usize) -> Result<Output, CliError> {
    let (Some(executor), Handle::Supervised { name, place, .. }) =
        (&app.ports.executor, &job.begun.start.handle)
    else {
        return Ok(NOTHING);
    };
    match executor.output(name, place, offset, limit).await {
        Ok(output) => Ok(output),
        // It may have ended between the two looks; the next one tells.
        Err(_) if job.phase == JobState::Running => Ok(Output { kept: offset, ..NOTHING }),
        Err(why) => Err(CliError::new(ErrorKind::NotFound, why)),
    }
}

async fn read_stored(
    app: &App,
    session: SessionId,
    job: &Job,
    offset: u64,
    limit: usize,
) -> Result<Output, CliError> {
    let records = load_records(app.ports.log.as_ref(), session, Seq(0)).await.map_err(store_error)?;
    let stored = records.iter().find_map(|(record, _)| match &record.event {
        Event::ArtifactStored(stored) if Some(stored.artifact) == job.artifact => Some(stored.hash),
        _ => None,
    });
    let Some(hash) = stored else { return Ok(NOTHING) };
    let bytes = app.store.get(hash).await.map_err(store_error)?;
    let bytes =
        bytes.ok_or_else(|| CliError::new(ErrorKind::Store, "its output is missing from the store"))?;
    let from = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
    let to = from.saturating_add(limit).min(bytes.len());
    Ok(Output { bytes: bytes[from..to].to_vec(), kept: bytes.len() as u64 })
}

fn write(bytes: &[u8]) -> u64 {
    // A reader that is gone wants no more of it.
    let _ = crate::render::out::data(bytes);
    bytes.len() as u64
}
