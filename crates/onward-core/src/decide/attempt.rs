//! Attempts: started, accepted, rejected, failed, and when to try again (seed, section 14).

use onward_event::{
    AcceptedPart, AssistantAccepted, AttemptEnd, AttemptId, AttemptOutcome, AttemptStart, CallId, Digest,
    ErrorClass, Event, FinishReason, RejectReason, StepId, Timestamp, ToolCall, Usage,
};

use super::{AttemptReport, Ctx, Refusal, Reply};
use crate::prelude::*;
use crate::session::{Session, Step, StepPhase};

/// The first pause before the same request is sent again.
const BACKOFF_MILLIS: u64 = 500;
/// No pause of our own choice is longer.
const MAX_BACKOFF_MILLIS: u64 = 30_000;
/// A provider that asks for a longer pause than this is not waited for.
const MAX_RETRY_AFTER_MILLIS: u64 = 10 * 60_000;

/// The next attempt at the step's prepared request.
pub(super) fn start(step: &Step, ctx: &mut Ctx<'_>) -> Vec<Event> {
    match step.request {
        Some(request) => start_at(step, request.digest, ctx),
        None => Vec::new(),
    }
}

pub(super) fn start_at(step: &Step, request: Digest, ctx: &mut Ctx<'_>) -> Vec<Event> {
    let attempt = AttemptId::from_bits(ctx.id());
    let (provider, model) = (step.model.provider.clone(), step.model.model.clone());
    vec![AttemptStart { attempt, step: step.id, number: step.attempts + 1, request, provider, model }.into()]
}

/// An attempt has ended.
pub(super) fn ended(
    session: &Session,
    attempt: AttemptId,
    report: &AttemptReport,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Event>, Refusal> {
    let step = session.step().ok_or(Refusal::NotOpen("the step"))?;
    let StepPhase::Asking { attempt: open, epoch, .. } = step.phase else {
        return Err(Refusal::NotOpen("the attempt"));
    };
    // What became of an attempt whose process died is not known to anybody: its reply, if one comes, is too late.
    let too_late =
        epoch < session.epoch() && matches!(report, AttemptReport::Replied(_) | AttemptReport::Failed { .. });
    if open != attempt || too_late {
        return Err(Refusal::NotOpen("the attempt"));
    }
    let end = |outcome, usage: &Usage, partial: &str| {
        let end = AttemptEnd { attempt, outcome, finish: None, usage: *usage, partial: partial.into() };
        Ok(vec![end.into()])
    };
    match report {
        AttemptReport::Replied(reply) => Ok(replied(step.id, attempt, reply, ctx)),
        AttemptReport::Failed { class, message, retry_after_millis, usage, partial } => {
            let retry_at = retry_at(session, step, *class, *retry_after_millis, ctx);
            let outcome = AttemptOutcome::Failed { class: *class, message: message.clone(), retry_at };
            end(outcome, usage, partial)
        }
        AttemptReport::Aborted { usage, partial } => end(AttemptOutcome::Aborted, usage, partial),
        AttemptReport::Interrupted { usage, partial } => end(AttemptOutcome::Interrupted, usage, partial),
    }
}

/// A whole reply: accepted with its calls, or rejected.
fn replied(step: StepId, attempt: AttemptId, reply: &Reply, ctx: &mut Ctx<'_>) -> Vec<Event> {
    let finish = Some(reply.finish);
    if let Some((reason, detail)) = objection(reply) {
        let outcome = AttemptOutcome::Rejected { reason, detail };
        let partial = words_of(&reply.content);
        return vec![AttemptEnd { attempt, outcome, finish, usage: reply.usage, partial }.into()];
    }
    let end = AttemptEnd {
        attempt,
        outcome: AttemptOutcome::Accepted,
        finish,
        usage: reply.usage,
        partial: String::new(),
    };
    let calls = reply.calls.len() as u32;
    let mut events =
        vec![end.into(), AssistantAccepted { attempt, step, content: reply.content.clone(), calls }.into()];
    for (ordinal, call) in reply.calls.iter().enumerate() {
        let id = CallId::from_bits(ctx.id());
        let provider_id = if call.provider_id.is_empty() { id.to_string() } else { call.provider_id.clone() };
        let proposed = ToolCall {
            call: id,
            step,
            ordinal: ordinal as u32,
            provider_id,
            name: call.name.clone(),
            version: call.version.clone(),
            input: call.input.clone().unwrap_or_default(),
            digest: call.digest,
            accesses: call.accesses.clone(),
            occupies: call.occupies,
            invalid: call.invalid.clone(),
        };
        events.push(proposed.into());
    }
    events
}

/// Why a reply may not enter history. Only a validated stop, or well-formed calls, may.
fn objection(reply: &Reply) -> Option<(RejectReason, String)> {
    match reply.finish {
        FinishReason::Length => return Some((RejectReason::Length, "cut off at the limit of output".into())),
        FinishReason::Refusal => return Some((RejectReason::Refusal, "the model refused".into())),
        FinishReason::ContentFilter => {
            return Some((RejectReason::ContentFilter, "cut by the provider's filter".into()));
        }
        FinishReason::Stop | FinishReason::ToolCalls => {}
    }
    let malformed = |what: String| Some((RejectReason::Malformed, what));
    if let Some(call) = reply.calls.iter().find(|call| call.name.is_empty()) {
        return malformed(format!("a call without a name (id `{}`)", call.provider_id));
    }
    if let Some(call) = reply.calls.iter().find(|call| call.input.is_none()) {
        return malformed(format!("the arguments of a call of `{}` are not JSON", call.name));
    }
    let wordless = words_of(&reply.content).trim().is_empty();
    match (reply.finish, reply.calls.is_empty()) {
        (FinishReason::ToolCalls, true) => malformed("it ends with calls and has none".into()),
        (_, true) if wordless => Some((RejectReason::Empty, "neither words nor calls".into())),
        _ => None,
    }
}

fn words_of(content: &[AcceptedPart]) -> String {
    content.iter().map(|part| if let AcceptedPart::Text(text) = part { text.as_str() } else { "" }).collect()
}

/// When the same request may be sent again: exponential with jitter, or when the provider says; `None` for never.
fn retry_at(
    session: &Session,
    step: &Step,
    class: ErrorClass,
    asked: Option<u64>,
    ctx: &mut Ctx<'_>,
) -> Option<Timestamp> {
    let failures = step.failures + 1;
    if !class.may_pass() || failures >= session.spec().limits.max_attempts {
        return None;
    }
    if let Some(millis) = asked {
        return (millis <= MAX_RETRY_AFTER_MILLIS).then(|| ctx.now.plus_millis(millis));
    }
    let ceiling = (BACKOFF_MILLIS << (failures - 1).min(10)).min(MAX_BACKOFF_MILLIS);
    // Half fixed, half drawn: clients that failed together do not come back together.
    let jitter = (ctx.id() as u64) % (ceiling / 2 + 1);
    Some(ctx.now.plus_millis(ceiling / 2 + jitter))
}
