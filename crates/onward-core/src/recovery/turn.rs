//! The open turn, its step and its attempt.

use onward_event::{StepTerminal, TurnTerminal};

use super::foresight::Foresight;
use super::plan::planned;
use super::{Item, Planned, Then};
use crate::prelude::*;
use crate::session::{Step, StepPhase, Turn};

pub(super) fn plan(foresight: &Foresight, plan: &mut Vec<Planned>) {
    let Some(turn) = foresight.taken.turn() else { return };
    plan.push(of_turn(foresight, turn));
    let Some(step) = &turn.step else { return };
    plan.push(of_step(foresight, turn, step));
    if let StepPhase::Asking { attempt, .. } = step.phase {
        let why = "its process is gone: the words that had arrived and what they used are recorded, and it ends \
                   interrupted; they are kept for people and not shown to the model";
        plan.push(planned(Item::Attempt(attempt), Then::Salvage, why));
    }
}

fn of_turn(foresight: &Foresight, turn: &Turn) -> Planned {
    let item = Item::Turn(turn.id);
    if let Some(end) = foresight.turn_end(turn.id) {
        return match end.terminal {
            TurnTerminal::Interrupted => planned(item, Then::Interrupt, interrupted(foresight, turn)),
            TurnTerminal::Cancelled => planned(item, Then::Cancel, cancelled(turn)),
            TurnTerminal::Completed => planned(item, Then::End, "the model's last answer is recorded"),
            TurnTerminal::Failed | TurnTerminal::Blocked => planned(item, Then::End, end.next.as_str()),
        };
    }
    let open = "once nothing of its step is open any more";
    if turn.interrupt.is_some() {
        return planned(item, Then::Cancel, format!("{open}: {}", cancelled(turn)));
    }
    if turn.orphaned {
        return match exhausted(foresight, turn) {
            Some(why) => planned(item, Then::End, format!("{open}: {why}")),
            None => planned(item, Then::Interrupt, format!("{open}: {}", interrupted(foresight, turn))),
        };
    }
    planned(item, Then::GoOn, "its process left in order, so the same turn goes on")
}

fn interrupted(foresight: &Foresight, turn: &Turn) -> String {
    if !turn.orphaned {
        return "a call of its last step has an unknown outcome; its task waits until somebody has settled it".into();
    }
    let (recoveries, limit) = recoveries(foresight, turn);
    format!(
        "its process died in the middle; its task goes on in a new turn, recovery {} of at most {limit}",
        recoveries.saturating_add(1)
    )
}

fn cancelled(turn: &Turn) -> String {
    match turn.interrupt {
        Some(seq) => format!("it was interrupted at record {seq}; nothing of it goes on"),
        None => "nothing of it goes on".into(),
    }
}

/// Why the run does not go on by itself once more.
fn exhausted(foresight: &Foresight, turn: &Turn) -> Option<String> {
    let (recoveries, limit) = recoveries(foresight, turn);
    (recoveries >= limit)
        .then(|| format!("its task was recovered {recoveries} times already, and waits for a message"))
}

fn recoveries(foresight: &Foresight, turn: &Turn) -> (u32, u32) {
    let session = &foresight.taken;
    let done = session.state.runs.get(&turn.run).map_or(0, |run| run.recoveries);
    (done, session.spec().limits.max_recoveries)
}

fn of_step(foresight: &Foresight, turn: &Turn, step: &Step) -> Planned {
    let item = Item::Step(step.id);
    let included = match step.request {
        Some(request) => format!("; what request {} included stays included", request.digest.short()),
        None => String::new(),
    };
    if let Some(end) = foresight.step_end(step.id) {
        let then = match end.terminal {
            StepTerminal::Interrupted => Then::Interrupt,
            StepTerminal::Cancelled => Then::Cancel,
            StepTerminal::Tools | StepTerminal::Answer | StepTerminal::Failed => Then::End,
        };
        return planned(item, then, format!("{}{included}", ends_because(step)));
    }
    let (then, why) = match &step.phase {
        StepPhase::Asking { .. } => (leaves(turn), "as soon as its attempt has ended"),
        StepPhase::Calling(_) => (leaves(turn), "as soon as each of its calls is answered"),
        StepPhase::Preparing => (Then::GoOn, "its request is put together"),
        StepPhase::Retrying { .. } => (Then::GoOn, "its prepared request is sent again"),
        StepPhase::Failed | StepPhase::Answered => (Then::GoOn, "it ends with what follows"),
    };
    planned(item, then, format!("{why}{included}"))
}

fn leaves(turn: &Turn) -> Then {
    match turn {
        turn if turn.interrupt.is_some() => Then::Cancel,
        turn if turn.orphaned => Then::Interrupt,
        _ => Then::GoOn,
    }
}

fn ends_because(step: &Step) -> &'static str {
    match &step.phase {
        StepPhase::Preparing => "no request of it was recorded",
        StepPhase::Retrying { .. } => "its request is recorded, and no attempt at it is open",
        StepPhase::Asking { .. } => "its attempt has ended",
        StepPhase::Failed => "no acceptable output was had",
        StepPhase::Answered => "its answer is recorded",
        StepPhase::Calling(_) => "each of its calls is answered",
    }
}
