//! Claims: which work is next, bound to its turn or step in the same append (seed, sections 7 and 9).

use onward_event::{
    Event, InboxCancelReason, InboxCancelled, RunId, StepId, StepStart, TraceId, TurnId, TurnSource,
    TurnStart,
};

use super::Ctx;
use crate::prelude::*;
use crate::session::{Session, Turn};

/// The next turn: a continuation before the oldest waking message.
pub(super) fn turn(session: &Session, ctx: &mut Ctx<'_>) -> Vec<Event> {
    let undeliverable = session.state.inbox.undeliverable();
    if !undeliverable.is_empty() {
        let reason = InboxCancelReason::Undeliverable;
        return undeliverable.into_iter().map(|message| InboxCancelled { message, reason }.into()).collect();
    }
    let ready = session.state.continuations.iter().find(|c| c.blocked_on.is_empty());
    if let Some(continuation) = ready
        && let Some(run) = session.state.runs.get(&continuation.run)
    {
        let source = TurnSource::Continuation(continuation.seq);
        let turn = TurnId::from_bits(ctx.id());
        return vec![TurnStart { turn, run: continuation.run, trace: run.trace, source }.into()];
    }
    let Some(message) = session.state.inbox.next_waking() else { return Vec::new() };
    let turn = TurnId::from_bits(ctx.id());
    let run = RunId::from_bits(ctx.id());
    let trace = TraceId::from_bits(ctx.id());
    vec![TurnStart { turn, run, trace, source: TurnSource::Messages(vec![message]) }.into()]
}

/// The next step, with the turn's own messages and everything that waits for a step.
pub(super) fn step(session: &Session, turn: &Turn, ctx: &mut Ctx<'_>) -> Vec<Event> {
    let own = turn.unread.iter().copied().filter(|id| session.state.inbox.get(*id).is_some());
    let claims = own.chain(session.state.inbox.for_next_step()).collect();
    let index = session.state.runs.get(&turn.run).map_or(0, |run| run.steps) + 1;
    let step = StepId::from_bits(ctx.id());
    vec![StepStart { step, turn: turn.id, index, claims, config: session.config_revision() }.into()]
}
