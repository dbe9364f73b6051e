//! What a job has said: from its supervisor's folder while it runs, from the store afterwards.

use std::time::Duration;

use onward_core::Job;
use onward_event::{Event, Handle, JobId, JobState, Seq, SessionId};
use onward_port::Blobs as _;
use onward_runtime::load_records;

use super::{find, fold, job_of};
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;

/// Bytes of output shown at once.
const PAGE: usize = 64 << 10;
/// The pause between two looks at a job that says nothing.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) async fn show(app: &App, id: JobId, follow: bool) -> Result<ExitCode, CliError> {
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
