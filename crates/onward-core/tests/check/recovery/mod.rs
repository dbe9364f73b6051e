//! Foresight: what a new owner would do with a log that was cut off anywhere.

mod cases;
mod words;

use std::collections::BTreeMap;

use onward_core::{Action, Ctx, Draft, Input, Item, NewTurns, Planned, Session, Then, recovery_plan};
use onward_event::{
    AppendId, CallId, Epoch, Event, InboxCancelReason, MessageId, OwnerAcquired, Record, Timestamp,
};

use crate::good::all;

/// What a real takeover of the same log does: what is recorded at once, and what is due then.
struct Taken {
    events: Vec<Event>,
    session: Session,
}

fn take_over(records: &[Record], now: Timestamp) -> Taken {
    let mut session = Session::replay(records).unwrap();
    let (seq, epoch) = (session.head().next(), Epoch(session.epoch().0 + 1));
    let event = OwnerAcquired { epoch, owner: "the next one".into() }.into();
    let append = AppendId("takeover".into());
    session
        .apply(&Record { seq, at: now, epoch: Some(epoch), by: None, append: append.clone(), event })
        .unwrap();
    let mut last = 1_000_000;
    let mut ids = || {
        last += 1;
        last
    };
    let new_turns = NewTurns::Begin;
    let mut ctx = Ctx { now, policy: 7, new_turns, ids: &mut ids, redact: &core::convert::identity };
    let draft = Draft::new(&mut session, &Input::Advance, &append, &mut ctx).unwrap();
    Taken { events: draft.events().to_vec(), session }
}

/// What the plan must say about a call, from what a takeover really does.
fn truth(before: &Session, taken: &Taken, id: CallId) -> Then {
    if before.call(id).unwrap().is_answered() {
        return Then::Stand;
    }
    let answer = taken.events.iter().find_map(|event| match event {
        Event::ToolOutcomeUnknown(unknown) if unknown.call == id => Some(Then::Unknown),
        Event::ToolResult(result) if result.call == id => Some(Then::Fail),
        Event::ToolDenied(denied) if denied.call == id => Some(Then::Deny),
        Event::ToolCancelled(cancelled) if cancelled.call == id => Some(Then::Cancel),
        _ => None,
    });
    if let Some(then) = answer {
        return then;
    }
    let started = before.call(id).unwrap().start().is_some();
    let due = taken.session.due().into_iter().find_map(|effect| match effect.key.action {
        Action::Attach(due) | Action::Detach(due) if due == id => Some(Then::Attach),
        Action::Reconcile(due) if due == id => Some(Then::Reconcile),
        Action::Authorise(due) if due == id && started => Some(Then::RunAgain),
        Action::Authorise(due) if due == id => Some(Then::Authorise),
        _ => None,
    });
    due.unwrap_or(Then::Wait)
}

fn check_calls(before: &Session, taken: &Taken, plan: &[Planned]) -> usize {
    let calls = before.step().map_or(&[][..], |step| step.calls());
    let said: BTreeMap<CallId, Then> = plan
        .iter()
        .filter_map(|line| match &line.item {
            Item::Call { call, .. } => Some((*call, line.then)),
            _ => None,
        })
        .collect();
    let truth = calls.iter().map(|call| call.proposal.call).map(|id| (id, truth(before, taken, id)));
    assert_eq!(said, truth.collect());
    calls.len()
}

fn check_messages(before: &Session, taken: &Taken, plan: &[Planned]) -> usize {
    let said: BTreeMap<MessageId, Then> = plan
        .iter()
        .filter_map(|line| match &line.item {
            Item::Message(id) => Some((*id, line.then)),
            _ => None,
        })
        .collect();
    let open: Vec<MessageId> = before.pending_messages().map(|pending| pending.message.id).collect();
    assert_eq!(said.keys().copied().collect::<Vec<_>>().len(), open.len());
    for id in &open {
        let cancelled = taken.events.iter().any(|event| match event {
            Event::InboxCancelled(gone) => gone.message == *id && gone.reason != InboxCancelReason::BySender,
            _ => false,
        });
        let claimed = taken
            .events
            .iter()
            .any(|event| matches!(event, Event::StepStart(start) if start.claims.contains(id)));
        assert_eq!(said[id] == Then::Cancel, cancelled, "{id}");
        assert_eq!(said[id] == Then::HandOver, claimed, "{id}");
        let reserved = |session: &Session| {
            session.pending_messages().any(|m| m.message.id == *id && m.reserved.is_some())
        };
        if said[id] == Then::PendAgain {
            assert!(reserved(before) && !reserved(&taken.session), "{id}");
        }
    }
    open.len()
}

fn check_ends(before: &Session, taken: &Taken, plan: &[Planned]) {
    let ends = taken.events.iter().any(|event| match (event, before.turn()) {
        (Event::TurnEnd(end), Some(turn)) => end.turn == turn.id,
        _ => false,
    });
    let said =
        |then: Then, is: fn(&Item) -> bool| plan.iter().any(|line| is(&line.item) && line.then == then);
    let later = plan.iter().any(|line| matches!(line.item, Item::Turn(_)) && line.why.starts_with("once "));
    if let Some(turn) = before.turn() {
        assert_eq!(taken.session.turn().is_none_or(|open| open.id != turn.id), ends);
        assert!(!(ends && later), "{plan:?}");
        if !ends {
            assert!(later || said(Then::GoOn, |item| matches!(item, Item::Turn(_))), "{plan:?}");
        }
    }
    let recorded = taken.events.iter().any(|event| matches!(event, Event::RecoveryContinuation(_)));
    assert_eq!(
        recorded,
        said(Then::Record, |item| matches!(item, Item::Continuation { seq: None, .. })),
        "{plan:?}"
    );
    let salvages = taken.session.due().iter().any(|effect| matches!(effect.key.action, Action::Salvage(_)));
    assert_eq!(salvages, said(Then::Salvage, |item| matches!(item, Item::Attempt(_))), "{plan:?}");
    let prepares = taken.session.due().iter().any(|effect| matches!(effect.key.action, Action::Prepare(_)));
    assert_eq!(prepares, said(Then::Prepare, |item| *item == Item::Session), "{plan:?}");
    assert_eq!(taken.session.due().is_empty(), said(Then::Rest, |item| *item == Item::Session), "{plan:?}");
}

/// Whatever record a log was cut off after, the plan says what a takeover does.
#[test]
fn a_plan_for_every_prefix_agrees_with_what_a_takeover_does() {
    let (mut calls, mut messages) = (0, 0);
    for (name, log) in all().into_iter().chain(cases::all()) {
        for end in 1..=log.records.len() {
            let records = &log.records[..end];
            let before = Session::replay(records).unwrap_or_else(|error| panic!("{name}: {error}"));
            let now = records[end - 1].at.plus_millis(250);
            let untouched = format!("{before:?}");
            let plan = recovery_plan(&before, now);
            assert_eq!(format!("{before:?}"), untouched, "{name} {end}: it only looks");
            assert!(plan.iter().all(|line| !line.why.is_empty()), "{name} {end}: {plan:?}");
            assert_eq!(plan[0].then, Then::TakeOver, "{name} {end}: {plan:?}");
            let taken = take_over(records, now);
            calls += check_calls(&before, &taken, &plan);
            messages += check_messages(&before, &taken, &plan);
            check_ends(&before, &taken, &plan);
        }
    }
    assert!(calls > 200 && messages > 60, "{calls} calls and {messages} messages were looked at");
}
