//! Messages that are on their way: pending again, taken over, handed over, or cancelled.

use onward_event::{Event, InboxCancelReason, MessageId, Target};

use super::foresight::Foresight;
use super::plan::planned;
use super::{Item, Planned, Then};
use crate::prelude::*;
use crate::session::Message;

pub(super) fn plan(foresight: &Foresight, plan: &mut Vec<Planned>) {
    for message in foresight.taken.pending_messages() {
        let (then, why) = of_message(foresight, message);
        plan.push(planned(Item::Message(message.message.id), then, why));
    }
}

fn of_message(foresight: &Foresight, message: &Message) -> (Then, String) {
    let id = message.message.id;
    if let Some(reason) = cancelled(foresight, id) {
        return (Then::Cancel, reason);
    }
    if claimed_anew(foresight, id) {
        return (Then::HandOver, handed_over(foresight, message));
    }
    let reclaimed = foresight.continuation().is_some_and(|new| new.reclaims.contains(&id))
        || foresight.taken.continuations().iter().any(|old| old.reclaims.contains(&id));
    if reclaimed {
        return (Then::Reclaim, "no request contained it; it waits with its task".into());
    }
    if let Some(step) = message.reserved {
        return match foresight.step_end(step) {
            Some(_) => (
                Then::PendAgain,
                format!("{step} had claimed it, and no request contained it (claim {})", message.claims),
            ),
            None => (Then::Stand, format!("{step} has claimed it; its request will contain it")),
        };
    }
    (Then::Wait, waits(foresight, message).into())
}

fn cancelled(foresight: &Foresight, id: MessageId) -> Option<String> {
    foresight.events.iter().find_map(|event| match event {
        Event::InboxCancelled(cancelled) if cancelled.message == id => Some(match cancelled.reason {
            InboxCancelReason::WithTurn => "no request contained it, and its turn is cancelled".into(),
            InboxCancelReason::Undeliverable => {
                "no request contained it, and its turn ends without one".into()
            }
            InboxCancelReason::BySender => "its sender took it back".into(),
        }),
        _ => None,
    })
}

/// Whether a step that begins at once claims it.
fn claimed_anew(foresight: &Foresight, id: MessageId) -> bool {
    foresight.events.iter().any(|event| match event {
        Event::StepStart(start) => start.claims.contains(&id),
        _ => false,
    })
}

fn handed_over(foresight: &Foresight, message: &Message) -> String {
    let continued = foresight.continuation().is_some_and(|new| new.reclaims.contains(&message.message.id));
    let why = match (message.claims, continued) {
        (0, _) => "nothing has claimed it yet",
        (_, true) => {
            "it was claimed and no request contained it: it is pending again, and its run takes it over"
        }
        (_, false) => "it was claimed and no request contained it: it is pending again",
    };
    format!("{why}; the next step claims it")
}

fn waits(foresight: &Foresight, message: &Message) -> &'static str {
    let open = foresight.after.turn().is_some();
    match (message.message.target, message.message.wakeup, open) {
        (Target::NextStep, _, true) => "it is handed over with the next step",
        (Target::NextTurn, true, true) => "it starts a turn of its own when the open one has ended",
        (_, true, false) => "it starts the next turn",
        (Target::NextTurn, false, true) | (_, false, false) => {
            "it wakes nobody: it is handed over when work begins"
        }
    }
}
