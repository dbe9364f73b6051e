//! Driving an owner while a person may interrupt it, until it is quiet.

use std::convert::Infallible;
use std::pin::pin;

use onward_event::{JobState, SessionId};
use onward_runtime::{Awaited, Owner, OwnerError, Quiet, load};

use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::signals::{Asked, Signals};

/// Drives until quiet while `aside` goes on: the first interrupt cancels the turn, the second one and the signals to
/// end make it stop at a safe point. When no turn is open and only jobs are waited for, there is nothing to cancel: the
/// first interrupt ends the waiting, and the jobs go on.
pub(crate) async fn attended(
    app: &App,
    owner: &mut Owner,
    session: SessionId,
    signals: &mut Signals,
    awaited: Awaited,
    aside: impl Future<Output = Result<Infallible, CliError>>,
) -> Result<Quiet, CliError> {
    let stopper = owner.stopper();
    let (mut driving, mut aside) = (pin!(owner.drive_awaiting(awaited)), pin!(aside));
    let mut interrupted = false;
    loop {
        tokio::select! {
            quiet = &mut driving => return quiet.map_err(|error| stopped(app, session, error)),
            asked = signals.next() => match asked {
                Asked::Interrupt if !interrupted => {
                    interrupted = true;
                    match only_jobs_run(app, session).await? {
                        true => stopper.cancel(),
                        false => app.client.interrupt(session).await.map_err(store_error)?,
                    }
                }
                Asked::Interrupt | Asked::End => stopper.cancel(),
            },
            failed = &mut aside => match failed {
                Err(error) => return Err(error),
                Ok(never) => match never {},
            },
        }
    }
}

/// Whether no turn is open, and at least one job runs.
async fn only_jobs_run(app: &App, session: SessionId) -> Result<bool, CliError> {
    let session = load(app.ports.log.as_ref(), session).await.map_err(store_error)?;
    Ok(session.turn().is_none() && session.jobs().any(|job| job.phase == JobState::Running))
}

/// Why the work stopped, and how it goes on if that can pass.
fn stopped(app: &App, session: SessionId, error: OwnerError) -> CliError {
    let passes = matches!(&error, OwnerError::Log(error) if error.may_pass());
    let told = owner_error(error);
    match passes {
        true => told.with_hint(format!("`{} resume {session}` goes on", app.program)),
        false => told,
    }
}

/// A failure of the owner, for people.
pub(crate) fn owner_error(error: OwnerError) -> CliError {
    match error {
        OwnerError::Log(error) => store_error(error),
        other => CliError::new(ErrorKind::Runtime, other.to_string()),
    }
}
