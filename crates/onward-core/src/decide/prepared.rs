//! A request was put together, or could not be.

use onward_event::{Event, Manifest, Projection, RequestPrepared, StepEnd, StepTerminal, TurnTerminal};

use super::{Ctx, PrepareFailure, Prepared, Refusal, attempt, ending};
use crate::prelude::*;
use crate::session::{ASSEMBLER_VERSION, Session, Step, StepPhase, Turn};

/// The request and its first attempt, in one append.
pub(super) fn prepared(
    session: &Session,
    prepared: &Prepared,
    ctx: &mut Ctx<'_>,
) -> Result<Vec<Event>, Refusal> {
    let (_, step) = preparing(session, prepared.step)?;
    if session.prepare_basis() != prepared.basis {
        return Err(Refusal::Stale("what the request is made of"));
    }
    let base = session.requested() as u64;
    let total = (prepared.basis.history + prepared.basis.additions) as u64;
    let request = RequestPrepared {
        step: step.id,
        revision: step.request.map_or(0, |request| request.revision) + 1,
        digest: prepared.digest,
        history_revision: 0,
        manifest: Manifest { head: prepared.head, base, added: total - base },
        includes: prepared.basis.includes.clone(),
        projection: Projection { assembler: ASSEMBLER_VERSION, encoder: prepared.encoder.clone() },
        context: prepared.context.clone(),
    };
    let mut events: Vec<Event> = prepared.documents.iter().cloned().map(Event::from).collect();
    events.push(request.into());
    events.extend(attempt::start_at(step, prepared.digest, ctx));
    Ok(events)
}

/// Without a request there is no attempt: step and turn end.
pub(super) fn failed(session: &Session, failure: &PrepareFailure) -> Result<Vec<Event>, Refusal> {
    let (turn, step) = preparing(session, failure.step)?;
    let mut events = vec![StepEnd { step: step.id, terminal: StepTerminal::Failed }.into()];
    events.extend(ending::turn(session, turn, TurnTerminal::Failed, failure.stop, &failure.detail));
    Ok(events)
}

fn preparing(session: &Session, id: onward_event::StepId) -> Result<(&Turn, &Step), Refusal> {
    match (session.turn(), session.step()) {
        (Some(turn), Some(step)) if step.id == id && step.phase == StepPhase::Preparing => {
            match turn.interrupt.is_some() || turn.orphaned {
                true => Err(Refusal::Stale("the turn")),
                false => Ok((turn, step)),
            }
        }
        _ => Err(Refusal::NotOpen("the step")),
    }
}
