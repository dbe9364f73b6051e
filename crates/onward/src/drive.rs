//! Driving a session from the command line: own it, show what happens, and say how it stands in the end.

use std::future::pending;
use std::sync::Arc;

use onward_event::{ApprovalScope, ApprovalVerdict, Event, JobsAtEnd, Seq, SessionId, TurnTerminal};
use onward_port::Log;
use onward_runtime::{Awaited, GivenBack, Live, Owner, Ports, Quiet, RuntimeConfig, load_records};
use tokio::sync::oneshot;

use crate::attend::{Attended, Left, PAUSE_LIMIT, attended, leave, owner_error};
use crate::compose::{App, store_error};
use crate::error::CliError;
use crate::jobs_at_end::{ask_for_ends, set_rule};
use crate::outlives::found;
use crate::render::{Screen, watch};
use crate::signals::Signals;
use crate::stand::{End, Stand, stand};

/// What happens to questions when nobody is there to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// The work waits.
    Wait,
    /// The answer is no.
    Deny,
}

/// What a command works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// On everything there is.
    Everything,
    /// Only on bringing what is open to its end: it was interrupted, and nothing begins.
    WindUp,
}

/// How a command works on a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) unanswered: Unanswered,
    /// Another rule for the jobs of the session at the end of the work.
    pub(crate) jobs: Option<JobsAtEnd>,
    /// The last record that a client of the stream knows.
    pub(crate) since: Seq,
    pub(crate) work: Work,
}

impl Manner {
    /// Questions wait, and the session's rules hold.
    pub(crate) const PATIENT: Self =
        Self { unanswered: Unanswered::Wait, jobs: None, since: Seq(u64::MAX), work: Work::Everything };
}

/// Works on a session until nothing is left to do, and shows it.
///
/// # Errors
/// When it is owned elsewhere, or the log cannot be used.
pub(crate) async fn drive(
    app: &App,
    ports: Ports,
    session: SessionId,
    mut screen: Screen,
    manner: Manner,
) -> (Screen, Result<Stand, CliError>) {
    let live = Live::new();
    let mut owner = match acquire(ports, app.runtime(), session, live.clone()).await {
        Ok(owner) => owner,
        Err(error) => return (screen, Err(error)),
    };
    if manner.work == Work::WindUp {
        // What is opened to be cancelled is no news.
        owner.begin_nothing();
        if let Err(error) = owner.take_up().await {
            return (screen, Err(owner_error(error)));
        }
    }
    screen.take_up(owner.session());
    // Whoever winds up ends it, and waits for nothing else.
    if manner.work == Work::Everything {
        for notice in found(app, owner.session()).await {
            screen.notice(&notice);
        }
    }
    let seen = match &screen {
        Screen::Json(_) => owner.session().head().min(manner.since),
        Screen::Quiet(_) | Screen::Conversation(_) => owner.session().head(),
    };
    let log = app.ports.log.clone();
    let work = async move {
        let mut signals = Signals::listen()?;
        set_rule(app, &owner, manner.jobs).await?;
        let begun = owner.session().head();
        loop {
            let end = match manner.work {
                Work::Everything => until_quiet(app, &mut owner, session, &mut signals, manner).await?,
                Work::WindUp => wound_up(app, &mut owner, session, &mut signals).await?,
            };
            let end = match end {
                End::AtOnce => return Ok(stand(owner.session(), &end, &app.program)),
                End::Quiet if was_interrupted(app, session, begun).await? => End::Interrupted,
                other => other,
            };
            ask_for_ends(app, &owner).await?;
            if end == End::Left {
                let so_far = stand(owner.session(), &end, &app.program);
                return Ok(match leave(owner, &mut signals).await? {
                    Left::InOrder(left) => stand(&left, &end, &app.program),
                    Left::AtOnce => Stand { at_once: true, ..so_far },
                });
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
    signals: &mut Signals,
    manner: Manner,
) -> Result<End, CliError> {
    let mut denied = false;
    loop {
        if let Some(end) = driven(app, owner, session, signals, Awaited::AsRuled).await? {
            return Ok(end);
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

/// Cancels what is open, also what was left in the middle, and lets nothing begin.
async fn wound_up(
    app: &App,
    owner: &mut Owner,
    session: SessionId,
    signals: &mut Signals,
) -> Result<End, CliError> {
    loop {
        let open = owner.take_up().await.map_err(owner_error)?;
        if owner.session().turn().is_some_and(|turn| turn.interrupt.is_none()) {
            app.client.interrupt(session).await.map_err(store_error)?;
        }
        if let Some(end) = driven(app, owner, session, signals, Awaited::None).await? {
            return Ok(end);
        }
        if !open || owner.session().turn().is_some() {
            return Ok(End::Quiet);
        }
    }
}

/// Drives until quiet; says so when it ends before that.
async fn driven(
    app: &App,
    owner: &mut Owner,
    session: SessionId,
    signals: &mut Signals,
    awaited: Awaited,
) -> Result<Option<End>, CliError> {
    Ok(match attended(app, owner, session, signals, awaited, pending()).await? {
        Attended::AtOnce => Some(End::AtOnce),
        Attended::Quiet(Quiet::Stopped) => Some(End::Left),
        Attended::Quiet(Quiet::Idle | Quiet::Waiting(_)) => None,
    })
}

/// Whether somebody interrupted a turn after this record, whatever was done since.
async fn was_interrupted(app: &App, session: SessionId, begun: Seq) -> Result<bool, CliError> {
    let records = load_records(app.ports.log.as_ref(), session, begun).await.map_err(store_error)?;
    let asked = |event: &Event| matches!(event, Event::InterruptRequested(_));
    let ended =
        |event: &Event| matches!(event, Event::TurnEnd(end) if end.terminal == TurnTerminal::Cancelled);
    let mut events = records.iter().map(|(record, _)| &record.event);
    Ok(events.any(asked) && events.any(ended))
}
