//! Driving an owner while a person may interrupt it, until it is quiet, and ending in order.

use std::convert::Infallible;
use std::pin::pin;
use std::time::Duration;

use onward_core::Session;
use onward_event::{JobState, SessionId};
use onward_runtime::{Awaited, Owner, OwnerError, Quiet, load};
use tokio::time::{Instant, sleep_until};

use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::signals::{Asked, Signals};

/// How long an orderly end may take, the ends of cancelled jobs included; past it, the next owner sees to what is open.
pub(crate) const PAUSE_LIMIT: Duration = Duration::from_secs(5);
/// How much longer it may take until what was recorded is on disk.
const PAUSE_MARGIN: Duration = Duration::from_secs(1);
/// Signals that come together are one: `timeout`, for one, tells the process and then its group.
const TOGETHER: Duration = Duration::from_millis(250);

/// How driving came to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Attended {
    /// By itself, or told to stop at a safe point.
    Quiet(Quiet),
    /// Told a second time to end, or out of time. The owner is not to be used any more.
    AtOnce,
}

/// How an owner was left.
pub(crate) enum Left {
    /// In order, with the session like this.
    InOrder(Box<Session>),
    /// At once: what was under way is recovered as after a crash.
    AtOnce,
}

/// Drives until quiet while `aside` goes on: the first interrupt cancels the turn, the second one and the signals to
/// end make it stop at a safe point, and whoever is told again ends at once. When no turn is open and only jobs are waited
/// for, there is nothing to cancel: the first interrupt ends the waiting, and the jobs go on.
pub(crate) async fn attended(
    app: &App,
    owner: &mut Owner,
    session: SessionId,
    signals: &mut Signals,
    awaited: Awaited,
    aside: impl Future<Output = Result<Infallible, CliError>>,
) -> Result<Attended, CliError> {
    let stopper = owner.stopper();
    let (mut driving, mut aside) = (pin!(owner.drive_awaiting(awaited)), pin!(aside));
    let mut interrupted = false;
    let mut ending = Ending::default();
    loop {
        tokio::select! {
            quiet = &mut driving => {
                return quiet.map(Attended::Quiet).map_err(|error| stopped(app, session, error));
            }
            asked = signals.next() => match asked {
                Asked::Interrupt if !interrupted && !ending.has_begun() => {
                    interrupted = true;
                    match only_jobs_run(app, session).await? {
                        true => {
                            ending.begins();
                            stopper.cancel();
                        }
                        false => app.client.interrupt(session).await.map_err(store_error)?,
                    }
                }
                asked if ending.is_again(asked) => return Ok(Attended::AtOnce),
                Asked::Interrupt | Asked::End | Asked::HangUp => {
                    ending.begins();
                    stopper.cancel();
                }
            },
            () = ending.is_over() => return Ok(Attended::AtOnce),
            failed = &mut aside => match failed {
                Err(error) => return Err(error),
                Ok(never) => match never {},
            },
        }
    }
}

/// Ends in order, within [`PAUSE_LIMIT`] and what it takes to record it; whoever is told again ends at once.
pub(crate) async fn leave(owner: Owner, signals: &mut Signals) -> Result<Left, CliError> {
    let mut pausing = pin!(owner.pause(PAUSE_LIMIT));
    let mut ending = Ending::default();
    ending.begins();
    loop {
        tokio::select! {
            left = &mut pausing => return left.map(|left| Left::InOrder(Box::new(left))).map_err(owner_error),
            asked = signals.next() => if ending.is_again(asked) { return Ok(Left::AtOnce) },
            () = ending.is_over() => return Ok(Left::AtOnce),
        }
    }
}

/// An orderly end, once it was asked for.
#[derive(Default)]
struct Ending {
    since: Option<Instant>,
}

impl Ending {
    fn begins(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    fn has_begun(&self) -> bool {
        self.since.is_some()
    }

    /// Whether a signal asks for more than what is under way.
    fn is_again(&self, asked: Asked) -> bool {
        asked != Asked::HangUp && self.since.is_some_and(|since| since.elapsed() > TOGETHER)
    }

    /// Returns when there is no more time for it.
    async fn is_over(&self) {
        match self.since {
            Some(since) => sleep_until(since + PAUSE_LIMIT + PAUSE_MARGIN).await,
            None => std::future::pending().await,
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
