//! Limits of a run: every stop says which one and how far it was gone.

use onward_event::StopReason;

use crate::prelude::*;
use crate::session::{Session, Turn};

/// How often calls of a run may be refused in all, for each time that they may be in a row: harmless calls in between do
/// not make it a run that gets anywhere.
const DENIALS_IN_ALL: u32 = 4;

/// What forbids another step.
pub(super) fn before_step(session: &Session, turn: &Turn) -> Option<(StopReason, String)> {
    let (limits, run) = (&session.spec().limits, session.state.runs.get(&turn.run)?);
    if run.steps >= limits.max_steps {
        return Some((StopReason::MaxSteps, format!("{} of {}", run.steps, limits.max_steps)));
    }
    if run.repeats() >= limits.max_repeated_calls {
        let detail = format!("{} times in a row", run.repeats());
        return Some((StopReason::RepeatedToolCall, detail));
    }
    if run.denials >= limits.max_denials {
        return Some((StopReason::PermissionDenied, format!("{} in a row", run.denials)));
    }
    if run.denials_in_all >= limits.max_denials.saturating_mul(DENIALS_IN_ALL) {
        return Some((StopReason::PermissionDenied, format!("{} in all", run.denials_in_all)));
    }
    if run.errors >= limits.max_repeated_errors {
        return Some((StopReason::RepeatedError, format!("{} in a row", run.errors)));
    }
    budget(session, turn)
}

/// What forbids another attempt.
pub(super) fn budget(session: &Session, turn: &Turn) -> Option<(StopReason, String)> {
    let (limits, run) = (&session.spec().limits, session.state.runs.get(&turn.run)?);
    let over = |used: u64, limit: Option<u64>, unit: &str| {
        let limit = limit.filter(|limit| used >= *limit)?;
        Some((StopReason::BudgetExhausted, format!("{used} of {limit} {unit}")))
    };
    over(run.usage.tokens(), limits.max_tokens, "tokens")
        .or_else(|| over(run.active_millis / 1000, limits.max_seconds, "seconds"))
        .or_else(|| over(run.usage.cost_micros, limits.max_cost_micros, "millionths of cost"))
}
