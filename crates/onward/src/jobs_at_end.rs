//! The jobs of a session whose work comes to its end here: its rule, applied in the same way wherever that happens.

use onward_core::Session;
use onward_event::{JobId, JobState, JobsAtEnd, SettingChange};
use onward_runtime::Owner;

use crate::compose::{App, store_error};
use crate::error::CliError;

/// Makes this the rule of the session, if it is another one. Whoever takes the session over follows it too.
///
/// # Errors
/// As the store says.
pub(crate) async fn set_rule(app: &App, owner: &Owner, rule: Option<JobsAtEnd>) -> Result<(), CliError> {
    let session = owner.session();
    match rule.filter(|rule| *rule != session.spec().jobs_at_end) {
        Some(rule) => {
            let set = app.client.configure(session.id(), SettingChange::JobsAtEnd(rule));
            set.await.map_err(store_error)
        }
        None => Ok(()),
    }
}

/// Asks for the end of every job that runs, if the rule is to cancel them: on the log, before the session is given back,
/// so that the next owner sees to what has not ended by then.
///
/// # Errors
/// As the store says.
pub(crate) async fn ask_for_ends(app: &App, owner: &Owner) -> Result<(), CliError> {
    let session = owner.session();
    if session.spec().jobs_at_end != JobsAtEnd::Cancel {
        return Ok(());
    }
    let jobs = session.jobs().filter(|job| job.phase == JobState::Running && job.cancel.is_none());
    for job in jobs.map(|job| job.id).collect::<Vec<JobId>>() {
        app.client.cancel_job(session.id(), job).await.map_err(store_error)?;
    }
    Ok(())
}

/// Whether the rule has jobs of this session waited for.
pub(crate) fn waits_for_jobs(session: &Session) -> bool {
    session.spec().jobs_at_end == JobsAtEnd::Wait
        && session.open_approvals().next().is_none()
        && session.jobs().any(|job| job.phase == JobState::Running)
}
