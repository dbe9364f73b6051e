//! Jobs in a conversation: what runs in the background, and a command that is sent there.

use onward_core::{Job, Session};
use onward_event::{CallId, JobState, SessionId};
use onward_runtime::load;

use crate::args::Named;
use crate::commands::background::chosen;
use crate::commands::jobs::{by_age, line};
use crate::compose::{App, store_error};
use crate::error::CliError;
use crate::render::say;
use crate::stand::looks_after_jobs;

/// Lists the jobs of the session.
pub(super) async fn list(app: &App, session: SessionId) -> Result<(), CliError> {
    let session = load(app.ports.log.as_ref(), session).await.map_err(store_error)?;
    let jobs = by_age(&session);
    let now = app.ports.clock.now();
    for job in &jobs {
        say!("{}", line(job, now));
    }
    match jobs.is_empty() {
        true => say!("no jobs"),
        false => {
            say!("`{0} jobs output JOB` shows what one says, `{0} jobs cancel JOB` ends one", app.program)
        }
    }
    Ok(())
}

/// Lets a command that runs go on as a job. What cannot be is said, and changes nothing.
pub(super) async fn send_to_background(
    app: &App,
    session: SessionId,
    call: Option<Named<CallId>>,
) -> Result<(), CliError> {
    let folded = load(app.ports.log.as_ref(), session).await.map_err(store_error)?;
    match chosen(&folded, call) {
        Ok(call) => {
            app.client.background(session, call).await.map_err(store_error)?;
            say!("{call} goes on in the background; /jobs lists jobs");
        }
        Err(error) => say!("{error}"),
    }
    Ok(())
}

/// Says which jobs the person who has left is waiting for, and how not to.
pub(super) fn say_waited_for(app: &App, session: &Session) {
    for job in running(session) {
        say!("▶ waiting for a job: {}", line(job, app.ports.clock.now()));
    }
    say!("  Ctrl-C leaves at once, and they go on under their supervisors; `--jobs leave` never waits");
}

/// Says which jobs go on when the person has left, and who looks after them.
pub(super) fn say_left(app: &App, session: &Session) {
    let (program, running) = (&app.program, running(session));
    for job in &running {
        say!("▶ a job goes on under its supervisor: {}", line(job, app.ports.clock.now()));
        if job.cancel.is_some() {
            say!("  its end is asked for: whoever works on the session next sees to it");
        }
    }
    if !running.is_empty() {
        let after = looks_after_jobs(session, program);
        say!("  `{program} jobs cancel JOB` ends one; `{after}` looks after them");
    }
}

fn running(session: &Session) -> Vec<&Job> {
    by_age(session).into_iter().filter(|job| job.phase == JobState::Running).collect()
}
