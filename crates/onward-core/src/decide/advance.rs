//! What follows by itself: one transition at a time, from the state alone.

use onward_event::{
    CallId, DeniedBy, Event, NoticeAdded, Part, ReconcileVerdict, Recovery, ResultMetadata, ResultStatus,
    Retry, Semantics, StepEnd, StepTerminal, StopReason, ToolCancelled, ToolDenied, ToolOutcomeUnknown,
    ToolReconciled, ToolResult, TurnTerminal,
};

use super::{Ctx, NewTurns, attempt, claim, ending, job, limits};
use crate::prelude::*;
use crate::session::{Call, CallPhase, Session, Step, StepPhase, Turn};
use crate::{schedule, words};

pub(super) fn advance(session: &Session, ctx: &mut Ctx<'_>) -> Vec<Event> {
    if let Some(untold) = session.state.untold.first() {
        let (text, reason, cause) = (untold.text.clone(), untold.reason, Some(untold.cause));
        return vec![NoticeAdded { text, reason, cause }.into()];
    }
    if let Some(job) = session.state.jobs.open().find(|job| job.settled.is_some()) {
        return job::settled(job);
    }
    match &session.state.turn {
        None if ctx.new_turns == NewTurns::Wait => Vec::new(),
        None => claim::turn(session, ctx),
        Some(turn) => match &turn.step {
            None => between_steps(session, turn, ctx),
            Some(step) => in_step(session, turn, step, ctx),
        },
    }
}

/// Ends the open turn as interrupted, with a continuation. A call without an answer keeps its step open: whoever owns
/// the session next attends to it.
pub(super) fn pause(session: &Session) -> Vec<Event> {
    let Some(turn) = &session.state.turn else { return Vec::new() };
    let mut events = match &turn.step {
        None => Vec::new(),
        Some(step) => match &step.phase {
            StepPhase::Asking { .. } => return Vec::new(),
            StepPhase::Calling(calls) if !calls.iter().all(Call::is_answered) => return Vec::new(),
            StepPhase::Preparing | StepPhase::Retrying { .. } | StepPhase::Calling(_) => {
                end_step(step, StepTerminal::Interrupted)
            }
            // These end by themselves, with the turn's true end.
            StepPhase::Failed | StepPhase::Answered => return Vec::new(),
        },
    };
    events.extend(ending::interrupted(session, turn));
    events
}

fn in_step(session: &Session, turn: &Turn, step: &Step, ctx: &mut Ctx<'_>) -> Vec<Event> {
    match &step.phase {
        StepPhase::Asking { .. } => Vec::new(),
        StepPhase::Preparing | StepPhase::Retrying { .. } if turn.interrupt.is_some() => {
            end_step(step, StepTerminal::Cancelled)
        }
        StepPhase::Preparing | StepPhase::Retrying { .. } if turn.orphaned => {
            end_step(step, StepTerminal::Interrupted)
        }
        StepPhase::Preparing => Vec::new(),
        StepPhase::Retrying { at } if *at > ctx.now => Vec::new(),
        StepPhase::Retrying { .. } => match limits::budget(session, turn) {
            Some((stop, detail)) => {
                let mut events = end_step(step, StepTerminal::Failed);
                events.extend(ending::turn(session, turn, TurnTerminal::Failed, stop, &detail));
                events
            }
            None => attempt::start(step, ctx),
        },
        StepPhase::Failed => end_step(step, StepTerminal::Failed),
        StepPhase::Answered => end_step(step, StepTerminal::Answer),
        StepPhase::Calling(calls) => {
            let settle = |at| settle_without_the_world(session, turn, calls, at);
            let settled: Vec<Event> = (0..calls.len()).flat_map(settle).collect();
            if !settled.is_empty() {
                return settled;
            }
            if calls.iter().any(|call| !call.is_answered()) {
                return Vec::new();
            }
            let terminal = match turn {
                turn if turn.interrupt.is_some() => StepTerminal::Cancelled,
                turn if turn.orphaned || calls.iter().any(Call::is_unknown) => StepTerminal::Interrupted,
                _ => StepTerminal::Tools,
            };
            end_step(step, terminal)
        }
    }
}

fn end_step(step: &Step, terminal: StepTerminal) -> Vec<Event> {
    vec![StepEnd { step: step.id, terminal }.into()]
}

/// Between two steps: end, or go on.
fn between_steps(session: &Session, turn: &Turn, ctx: &mut Ctx<'_>) -> Vec<Event> {
    let end = |terminal, stop, detail: &str| ending::turn(session, turn, terminal, stop, detail);
    if turn.interrupt.is_some() {
        return end(TurnTerminal::Cancelled, StopReason::UserCancelled, "");
    }
    if let Some((stop, detail)) = &turn.failure {
        return end(TurnTerminal::Failed, *stop, detail);
    }
    let answered = turn.last_step == Some(StepTerminal::Answer);
    let more = session.state.inbox.for_next_step().next().is_some();
    if answered && !more {
        return match session.run_has_unknown(turn.run) {
            true => end(TurnTerminal::Blocked, StopReason::OutcomeUnknown, ""),
            false => end(TurnTerminal::Completed, StopReason::Final, ""),
        };
    }
    // The owner died during the turn, or a call of its last step has an unknown outcome.
    if turn.orphaned || turn.last_step == Some(StepTerminal::Interrupted) {
        return ending::interrupted(session, turn);
    }
    match limits::before_step(session, turn) {
        Some((stop @ StopReason::PermissionDenied, detail)) => end(TurnTerminal::Blocked, stop, &detail),
        Some((stop, detail)) => end(TurnTerminal::Failed, stop, &detail),
        None => claim::step(session, turn, ctx),
    }
}

/// Answers that need nobody: invalid calls, calls that are one too many, a person's no, calls that an interrupt or a crash leaves behind and that
/// no tool can find out about.
fn settle_without_the_world(session: &Session, turn: &Turn, calls: &[Call], at: usize) -> Vec<Event> {
    let call = &calls[at];
    let id = call.proposal.call;
    if let (CallPhase::Proposed, Some(invalid)) = (&call.phase, &call.proposal.invalid) {
        let message = words::invalid_call(invalid);
        return vec![error_result(id, &invalid.code, message)];
    }
    if let (None, Some(refused)) = (turn.interrupt, schedule::refused(session, calls, at)) {
        return vec![error_result(id, refused.code, refused.words)];
    }
    if let CallPhase::Rejected { feedback, unattended } = &call.phase {
        let content = match unattended {
            true => words::rejected_by_nobody(feedback.as_deref()),
            false => words::rejected_by_person(feedback.as_deref()),
        };
        if call.may_have_acted() {
            return unknown(id, &words::unknown_after_refusal(&content));
        }
        return vec![ToolDenied { call: id, by: DeniedBy::User, content }.into()];
    }
    let interrupted = turn.interrupt.is_some();
    // One that runs under a supervisor is found again, whatever its semantics.
    let orphaned = call.orphaned(session.epoch()).filter(|start| !start.is_supervised());
    if orphaned.is_none() && call.orphaned(session.epoch()).is_some() {
        return Vec::new();
    }
    match orphaned.map(|start| &start.semantics) {
        // Not started, or started by this owner.
        None => match call.phase {
            CallPhase::Proposed | CallPhase::Approved | CallPhase::AwaitingApproval { .. } if interrupted => {
                vec![cancelled(call)]
            }
            _ => Vec::new(),
        },
        Some(Semantics::None(Retry::Allowed) | Semantics::Possible(Recovery::Idempotent(_)))
            if interrupted =>
        {
            vec![cancelled(call)]
        }
        Some(Semantics::None(Retry::Forbidden)) => vec![error_result(id, "interrupted", words::GONE.into())],
        Some(Semantics::Possible(Recovery::Manual(_))) => unknown(id, words::UNKNOWN_MANUAL),
        // These have an effect due: run again, or reconcile.
        Some(Semantics::None(Retry::Allowed) | Semantics::Possible(_)) => Vec::new(),
    }
}

/// The end of a call that an interrupt keeps from being started, or from being started again.
fn cancelled(call: &Call) -> Event {
    let content = match &call.cut_off {
        None => words::CANCELLED_UNSTARTED,
        Some(Semantics::None(_)) => words::CANCELLED_WITH_PROCESS,
        Some(Semantics::Possible(_)) => words::CANCELLED_AFTER_START,
    };
    let started = call.cut_off.is_some();
    ToolCancelled { call: call.proposal.call, started, content: content.into() }.into()
}

/// The verdict and the end of a call whose outcome nobody can find out.
pub(super) fn unknown(call: CallId, why: &str) -> Vec<Event> {
    vec![
        ToolReconciled { call, verdict: ReconcileVerdict::Unknown, evidence: why.into() }.into(),
        ToolOutcomeUnknown { call, content: why.into() }.into(),
    ]
}

pub(super) fn error_result(call: CallId, code: &str, message: String) -> Event {
    let metadata = ResultMetadata { bytes: message.len() as u64, ..ResultMetadata::default() };
    let content = vec![Part::text(message.as_str())];
    let status = ResultStatus::Error { code: code.into(), message };
    ToolResult { call, status, content, metadata, artifacts: Vec::new() }.into()
}
