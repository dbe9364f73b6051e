//! The plan as a whole: everything that is open, in the order in which it is attended to.

use onward_event::Timestamp;

use super::foresight::Foresight;
use super::{Item, Planned, Then, calls, inbox, runs, turn};
use crate::prelude::*;
use crate::{Action, Session, Wait};

/// What a new owner would do with the session if it took it over at `now`, and why. The session itself is not
/// changed, and nothing is looked up in the world: where the truth is to be found out there, the plan says how.
pub fn recovery_plan(session: &Session, now: Timestamp) -> Vec<Planned> {
    let foresight = match Foresight::new(session, now) {
        Ok(foresight) => foresight,
        Err(why) => return vec![planned(Item::Session, Then::Refuse, why)],
    };
    let mut plan = vec![taken_over(session)];
    turn::plan(&foresight, &mut plan);
    calls::plan(&foresight, &mut plan);
    inbox::plan(&foresight, &mut plan);
    runs::plan(&foresight, &mut plan);
    plan.extend(next(&foresight, now));
    plan
}

/// A line.
pub(super) fn planned(item: Item, then: Then, why: impl Into<String>) -> Planned {
    Planned { item, then, why: why.into() }
}

fn taken_over(session: &Session) -> Planned {
    let why = match (session.is_owned(), session.epoch().0) {
        (true, _) => {
            "the process that worked on it did not leave in order, so what it had under way counts as cut off"
        }
        (false, 0) => "nobody has worked on it yet",
        (false, _) => "the process that worked on it left in order",
    };
    planned(Item::Session, Then::TakeOver, why)
}

/// What the new owner begins with, beside the calls and the attempt that have lines of their own.
fn next(foresight: &Foresight, now: Timestamp) -> Vec<Planned> {
    let mut lines = Vec::new();
    for effect in &foresight.due {
        match effect.key.action {
            Action::Prepare(_) => {
                lines.push(planned(
                    Item::Session,
                    Then::Prepare,
                    "the next request is put together, and sent",
                ));
            }
            Action::Ask(_) => {
                let why = "the request that was prepared is sent, byte for byte";
                lines.push(planned(Item::Session, Then::Ask, why));
            }
            Action::Sleep { until, .. } => {
                let why = format!("the same request is sent again in {} ms", until.millis_since(now));
                lines.push(planned(Item::Session, Then::Sleep, why));
            }
            Action::WatchJob(job) => {
                let stopped = if effect.stop { ", which is told to stop" } else { "" };
                let why = format!(
                    "its end is waited for under its supervisor{stopped}, and then told to the model, once"
                );
                lines.push(planned(Item::Job(job), Then::Attach, why));
            }
            Action::Salvage(_)
            | Action::Authorise(_)
            | Action::Run(_)
            | Action::Reconcile(_)
            | Action::Attach(_)
            | Action::Detach(_) => {}
        }
    }
    if foresight.due.is_empty() {
        lines.push(planned(Item::Session, Then::Rest, rest(&foresight.after)));
    }
    lines
}

fn rest(after: &Session) -> String {
    let waits: Vec<String> = after
        .waiting_on()
        .into_iter()
        .map(|wait| match wait {
            Wait::Approval(approval) => format!("an answer to {approval}"),
            Wait::Settlement(call) => format!("somebody who finds out about {call}"),
            Wait::Job(job) => format!("the end of {job}"),
            Wait::Retry(_) => "the time of the next attempt".into(),
        })
        .collect();
    match waits.is_empty() {
        true => "nothing is left to do".into(),
        false => format!("it waits for {}", waits.join(", ")),
    }
}
