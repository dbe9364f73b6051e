//! Driving a session from the command line: own it, show what happens, and say how it stands in the end.

use std::future::pending;
use std::sync::Arc;
use std::time::Duration;

use onward_event::{ApprovalScope, ApprovalVerdict, JobsAtEnd, Seq, SessionId};
use onward_port::Log;
use onward_runtime::{Awaited, GivenBack, Live, Owner, Ports, Quiet, RuntimeConfig};
use tokio::sync::oneshot;

use crate::attend::{attended, owner_error};
use crate::compose::{App, store_error};
use crate::error::CliError;
use crate::jobs_at_end::{ask_for_ends, set_rule};
use crate::render::{Screen, watch};
use crate::signals::Signals;
use crate::stand::{End, Stand, stand};

/// How long an orderly end may take, the ends of cancelled jobs included; past it, the next owner sees to what is open.
pub(crate) const PAUSE_LIMIT: Duration = Duration::from_secs(5);

/// What happens to questions when nobody is there to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// The work waits.
    Wait,
    /// The answer is no.
    Deny,
}

/// How a command works on a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) unanswered: Unanswered,
    /// Another rule for the jobs of the session at the end of the work.
    pub(crate) jobs: Option<JobsAtEnd>,
    /// The last record that a client of the stream knows.
    pub(crate) since: Seq,
}

impl Manner {
    /// Questions wait, and the session's rules hold.
    pub(crate) const PATIENT: Self = Self { unanswered: Unanswered::Wait, jobs: None, since: Seq(u64::MAX) };
}

/// Works on a session until nothing is left to do, and shows it.
///
/// # Errors
/// When it is owned elsewhere, or the log cannot be used.
pub(crate) async fn drive(
    app: &App,
    ports: Ports,
    session: SessionId,
    screen: Screen,
    manner: Manner,
) -> (Screen, Result<Stand, CliError>) {
    let live = Live::new();
    let mut owner = match acquire(ports, app.runtime(), session, live.clone()).await {
        Ok(owner) => owner,
        Err(error) => return (screen, Err(error)),
    };
    let seen = match &screen {
        Screen::Json(_) => owner.session().head().min(manner.since),
        Screen::Quiet(_) | Screen::Conversation(_) => owner.session().head(),
    };
    let log = app.ports.log.clone();
    let work = async move {
        set_rule(app, &owner, manner.jobs).await?;
        loop {
            let end = until_quiet(app, &mut owner, session, manner).await?;
            ask_for_ends(app, &owner).await?;
            if let End::Left = end {
                // How the turn stands is said as it was; the jobs may have ended since.
                let mut stand = stand(owner.session(), &end, &app.program);
                let left = owner.pause(PAUSE_LIMIT).await.map_err(owner_error)?;
                stand.look_at_jobs(&left, &app.program);
                return Ok(stand);
            }
            owner.await_cancelled_jobs(PAUSE_LIMIT).await.map_err(owner_error)?;
            let stand = stand(owner.session(), &end, &app.program);
            match owner.release().await.map_err(owner_error)? {
                GivenBack::Done => return Ok(stand),
                GivenBack::GoOn(still) => owner = *still,
            }
        }
    };
    shown(&log, session, seen, &live, screen, work).await
}

/// Shows what happens in a session while `work` goes on; gives the screen back when everything is shown.
pub(crate) async fn shown<T>(
    log: &Arc<dyn Log>,
    session: SessionId,
    seen: Seq,
    live: &Live,
    screen: Screen,
    work: impl Future<Output = T>,
) -> (Screen, T) {
    let (stop, stopped) = oneshot::channel();
    let watcher = tokio::spawn(watch(log.clone(), session, seen, live.watch(), screen, stopped));
    let result = work.await;
    // The watcher shows what is still missing, whether it hears this or is done already.
    let _ = stop.send(());
    (watcher.await.unwrap_or_else(|_| Screen::lost()), result)
}

/// Takes ownership.
///
/// # Errors
/// When it is owned elsewhere, or the log cannot be used.
pub(crate) async fn acquire(
    ports: Ports,
    runtime: RuntimeConfig,
    session: SessionId,
    live: Live,
) -> Result<Owner, CliError> {
    Owner::acquire(ports, runtime, session, live).await.map_err(owner_error)
}

async fn until_quiet(
    app: &App,
    owner: &mut Owner,
    session: SessionId,
    manner: Manner,
) -> Result<End, CliError> {
    let mut signals = Signals::listen()?;
    let mut denied = false;
    loop {
        let quiet = attended(app, owner, session, &mut signals, Awaited::AsRuled, pending()).await?;
        if quiet == Quiet::Stopped {
            return Ok(End::Left);
        }
        let asked: Vec<_> = owner.session().open_approvals().map(|open| open.request.approval).collect();
        if asked.is_empty() || manner.unanswered == Unanswered::Wait {
            return Ok(if denied { End::Denied } else { End::Quiet });
        }
        denied = true;
        for approval in asked {
            let (verdict, scope) = (ApprovalVerdict::Reject, ApprovalScope::Once);
            let words = "nobody was there to approve it (--deny-unanswered)".to_owned();
            let answer = app.unattended().resolve(session, approval, verdict, scope, Some(words)).await;
            answer.map_err(store_error)?;
        }
    }
}
