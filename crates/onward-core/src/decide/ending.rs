//! The ends of turns: with words for people, and with nothing left claimed.

use onward_event::{
    CallId, Event, InboxCancelReason, InboxCancelled, MessageId, RecoveryContinuation, StopReason, TurnEnd,
    TurnTerminal,
};

use crate::prelude::*;
use crate::session::{Call, Session, Turn};
use crate::words;

/// Ends a turn for good: messages that started it and were never included are cancelled with it.
pub(super) fn turn(
    session: &Session,
    turn: &Turn,
    terminal: TurnTerminal,
    stop: StopReason,
    detail: &str,
) -> Vec<Event> {
    let reason = match terminal {
        TurnTerminal::Cancelled => InboxCancelReason::WithTurn,
        _ => InboxCancelReason::Undeliverable,
    };
    let unread = unread(session, turn).map(|message| InboxCancelled { message, reason }.into());
    unread.chain([end(session, turn, terminal, stop, detail)]).collect()
}

/// Ends a turn that its owner's death, or an unknown outcome, cut off: the run goes on in a continuation, unless it
/// has done so too often, or its message is given up.
pub(super) fn interrupted(session: &Session, turn: &Turn) -> Vec<Event> {
    let unknown = session.state.unknown.values().filter(|unknown| unknown.run == turn.run);
    let blocked_on: Vec<CallId> = unknown.map(|unknown| unknown.call).collect();
    let limit = session.spec().limits.max_recoveries;
    let recoveries = session.state.runs.get(&turn.run).map_or(0, |run| run.recoveries);
    if turn.orphaned && recoveries >= limit {
        let detail =
            format!("{} times in this run; it goes on by itself {limit} times at most", recoveries + 1);
        return self::turn(session, turn, TurnTerminal::Failed, StopReason::PausedForResume, &detail);
    }
    // Without its message the run would ask the model nothing.
    if let Some(claims) = unread(session, turn).find_map(|id| session.state.inbox.given_up_after(id)) {
        let detail = format!("{claims} times, each before its message reached the model");
        return self::turn(session, turn, TurnTerminal::Failed, StopReason::PausedForResume, &detail);
    }
    let stop = if blocked_on.is_empty() { StopReason::PausedForResume } else { StopReason::OutcomeUnknown };
    let detail = unknown_detail(session, turn, &blocked_on);
    vec![
        end(session, turn, TurnTerminal::Interrupted, stop, &detail),
        RecoveryContinuation {
            run: turn.run,
            turn: turn.id,
            blocked_on,
            reclaims: unread(session, turn).collect(),
        }
        .into(),
    ]
}

fn unknown_detail(session: &Session, turn: &Turn, blocked_on: &[CallId]) -> String {
    let calls = turn.step.as_ref().map_or(&[][..], |step| step.calls());
    let named = blocked_on.iter().map(|id| match calls.iter().find(|call| call.proposal.call == *id) {
        Some(Call { proposal, .. }) => format!("{} of `{}` {}", id, proposal.name, proposal.input),
        None => match session.state.unknown.get(id) {
            Some(unknown) => format!("{} of `{}` {}", id, unknown.tool, unknown.input),
            None => id.to_string(),
        },
    });
    named.collect::<Vec<_>>().join(", ")
}

fn unread<'a>(session: &'a Session, turn: &'a Turn) -> impl Iterator<Item = MessageId> + 'a {
    turn.unread.iter().copied().filter(|id| session.state.inbox.get(*id).is_some())
}

fn end(session: &Session, turn: &Turn, terminal: TurnTerminal, stop: StopReason, detail: &str) -> Event {
    let step = session.state.runs.get(&turn.run).map_or(0, |run| run.steps);
    let next = words::stopped(step, stop, detail);
    TurnEnd { turn: turn.id, terminal, stop, next, usage: turn.usage }.into()
}

impl Session {
    /// Whether an outcome of this run is unknown and not settled.
    pub(crate) fn run_has_unknown(&self, run: onward_event::RunId) -> bool {
        self.state.unknown.values().any(|unknown| unknown.run == run)
    }
}
