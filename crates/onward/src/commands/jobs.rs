//! `onward jobs`: what runs in the background, what it says, and its end.

mod list;
mod output;
mod wait;

use onward_core::{Job, Session};
use onward_event::{JobId, SessionId};
use onward_port::SessionSummary;
use onward_runtime::{Awaited, Live, load};

use super::start::{Start, is_held};
use crate::args::{JobsArgs, JobsCommand};
use crate::attend::{Attended, attended, owner_error};
use crate::compose::{App, store_error};
use crate::drive::acquire;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;
use crate::signals::Signals;

pub(super) use list::{by_age, line};

pub(super) async fn run(start: Start, args: JobsArgs) -> Result<ExitCode, CliError> {
    let app = start.look_at_sessions()?;
    match args.command {
        None if args.all => list::all(&app, args.json).await,
        None => list::one(&start, &app, args.session, args.json).await,
        Some(JobsCommand::Output { job, range, follow }) => {
            let job = app.whole(job, all_jobs).await?;
            match range.is_whole() || follow {
                true => output::show(&app, job, range.offset.unwrap_or(0), follow).await,
                false => output::show_range(&app, job, range).await,
            }
        }
        Some(JobsCommand::Wait { job, timeout, json }) => {
            wait::until_end(&app, app.whole(job, all_jobs).await?, timeout, json).await
        }
        Some(JobsCommand::Cancel { job, no_run }) => {
            cancel(&app, app.whole(job, all_jobs).await?, no_run).await
        }
    }
}

fn all_jobs(session: &Session) -> Vec<JobId> {
    session.jobs().map(|job| job.id).collect()
}

async fn cancel(app: &App, id: JobId, no_run: bool) -> Result<ExitCode, CliError> {
    let summary = find(app, id).await?;
    let job = job_of(&fold(app, summary.session).await?, id)?;
    if job.phase.is_end() {
        tell!("{id} has ended already: {}", job.phase.name());
        return Ok(ExitCode::Completed);
    }
    app.client.cancel_job(summary.session, id).await.map_err(store_error)?;
    if is_held(&summary) || no_run {
        tell!("the request to end {id} is recorded in {}", summary.session);
        return Ok(ExitCode::Completed);
    }
    // Nobody works on the session: this process ends the job, and records what became of it.
    let ports = app.ports_to_stop(&summary.spec.model.provider, &summary.workspace)?;
    let mut owner = acquire(ports, app.runtime(), summary.session, Live::new()).await?;
    let mut signals = Signals::listen()?;
    let (awaited, nothing) = (Awaited::One(id), std::future::pending());
    let driven = attended(app, &mut owner, summary.session, &mut signals, awaited, nothing).await?;
    if driven == Attended::AtOnce {
        return Ok(ExitCode::Interrupted);
    }
    let job = job_of(owner.session(), id)?;
    // What somebody says at this very moment is not what this command is for.
    owner.abandon().await.map_err(owner_error)?;
    tell!("{}", line(&job, app.ports.clock.now()));
    Ok(ExitCode::Completed)
}

/// The session that has the job: the latest ones are looked at first.
async fn find(app: &App, id: JobId) -> Result<SessionSummary, CliError> {
    for summary in app.sessions().await? {
        if fold(app, summary.session).await?.job(id).is_some() {
            return Ok(summary);
        }
    }
    Err(CliError::new(ErrorKind::NotFound, format!("there is no job {id}"))
        .with_hint("`onward jobs` lists them"))
}

async fn fold(app: &App, session: SessionId) -> Result<Session, CliError> {
    load(app.ports.log.as_ref(), session).await.map_err(store_error)
}

fn job_of(session: &Session, id: JobId) -> Result<Job, CliError> {
    let gone = || CliError::new(ErrorKind::NotFound, format!("{id} is not known any more"));
    session.job(id).cloned().ok_or_else(gone)
}
