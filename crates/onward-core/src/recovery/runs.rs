//! Continuations, unknown outcomes, what the model must be told, and the work that begins next.

use onward_event::{CallId, Event, StepStart, TurnSource, TurnStart};

use super::foresight::Foresight;
use super::plan::planned;
use super::{Item, Planned, Then};
use crate::prelude::*;
use crate::session::Continuation;

pub(super) fn plan(foresight: &Foresight, plan: &mut Vec<Planned>) {
    plan.extend(foresight.taken.continuations().iter().map(|old| of_continuation(foresight, old)));
    plan.extend(recorded(foresight));
    for unknown in foresight.taken.unknown_calls() {
        let item = Item::Unknown { call: unknown.call, tool: unknown.tool.clone() };
        let why = format!("nobody has settled it: {} waits until somebody finds out", unknown.run);
        plan.push(planned(item, Then::Wait, why));
    }
    for event in &foresight.events {
        match event {
            Event::NoticeAdded(notice) => {
                let cause = notice.cause.unwrap_or_default();
                let why = format!("the model is told: {}", notice.text);
                plan.push(planned(Item::Notice(cause), Then::Record, why));
            }
            Event::TurnStart(start) => plan.push(planned(Item::NewTurn, Then::Start, claimed(start))),
            Event::StepStart(start) => plan.push(planned(Item::NewStep, Then::Start, counted(start))),
            _ => {}
        }
    }
}

fn of_continuation(foresight: &Foresight, old: &Continuation) -> Planned {
    let item = Item::Continuation { run: old.run, seq: Some(old.seq) };
    let starts = foresight.events.iter().any(
        |event| matches!(event, Event::TurnStart(start) if start.source == TurnSource::Continuation(old.seq)),
    );
    if starts {
        return planned(
            item,
            Then::Start,
            format!("{} was cut off; its task goes on in a new turn", old.turn),
        );
    }
    if !old.blocked_on.is_empty() {
        return planned(item, Then::Wait, format!("it is blocked on {}", named(&old.blocked_on)));
    }
    planned(item, Then::Wait, "the open turn comes first")
}

/// The continuation that the takeover records.
fn recorded(foresight: &Foresight) -> Option<Planned> {
    let new = foresight.continuation()?;
    let item = Item::Continuation { run: new.run, seq: None };
    let same = "it is recorded in one append with the ends of step and turn";
    Some(match new.blocked_on.is_empty() {
        true => planned(item, Then::Record, format!("{same}, and goes on at once in a new turn")),
        false => {
            let why = format!("{same}, and is blocked on {}", named(&new.blocked_on));
            planned(item, Then::Record, why)
        }
    })
}

fn claimed(start: &TurnStart) -> String {
    match &start.source {
        TurnSource::Continuation(_) => format!("it carries {} on", start.run),
        TurnSource::Messages(ids) => {
            let ids: Vec<String> = ids.iter().map(ToString::to_string).collect();
            format!("{} starts it", ids.join(", "))
        }
    }
}

fn counted(start: &StepStart) -> String {
    format!("step {} of its run, with {} messages", start.index, start.claims.len())
}

fn named(calls: &[CallId]) -> String {
    calls.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
