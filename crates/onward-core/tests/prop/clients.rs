//! What clients say, at any time and whether it makes sense or not.

use onward_core::Session;
use onward_event::{
    ApprovalId, ApprovalResolved, ApprovalScope, ApprovalVerdict, BackgroundRequested, CallId, Event,
    InboxCancelReason, InboxCancelled, InboxMessage, InboxReceived, InterruptRequested, JobCancelRequested,
    JobId, JobsAtEnd, MessageId, Mode, Origin, Part, ReconciliationResolved, ResolvedVerdict,
    SessionConfigured, SettingChange, Target, Timestamp, TurnId,
};

use crate::dice::Dice;
use crate::values::limits;

/// Something that a client says. `fresh`: an id that was never used.
pub(crate) fn event(session: &Session, dice: &mut Dice, fresh: u128, now: Timestamp) -> Event {
    match dice.roll(12) {
        0..=3 => message(session, dice, fresh),
        4 => cancel(session, dice),
        5 => interrupt(session, dice),
        6 => configure(dice),
        7 | 8 => resolve(session, dice, fresh, now),
        9 => cancel_job(session, dice, fresh),
        10 => sent_to_background(session, dice, fresh),
        _ => reconcile(session, dice, fresh),
    }
}

pub(crate) fn approve(approval: ApprovalId) -> Event {
    let (verdict, scope) = (ApprovalVerdict::Approve, ApprovalScope::Once);
    ApprovalResolved { approval, verdict, scope, valid_until: None, feedback: None }.into()
}

pub(crate) fn go_on(call: CallId) -> Event {
    ReconciliationResolved { call, verdict: ResolvedVerdict::GoOn, evidence: String::new() }.into()
}

/// A message of any kind; one that is said twice now and then.
pub(crate) fn message(session: &Session, dice: &mut Dice, fresh: u128) -> Event {
    let known: Vec<MessageId> = session.pending_messages().map(|pending| pending.message.id).collect();
    let repeated = if dice.once_in(6) { dice.pick(&known).copied() } else { None };
    let (target, wakeup) = match dice.roll(4) {
        0 => (Target::NextStep, false),
        1 => (Target::NextStep, true),
        2 if dice.once_in(4) => (Target::NextTurn, false),
        _ => (Target::NextTurn, true),
    };
    let message = InboxMessage {
        id: repeated.unwrap_or(MessageId::from_bits(fresh)),
        content: vec![Part::text(format!("message {fresh}"))],
        target,
        wakeup,
        origin: Origin::User,
    };
    InboxReceived { message }.into()
}

fn cancel(session: &Session, dice: &mut Dice) -> Event {
    let known: Vec<MessageId> = session.pending_messages().map(|pending| pending.message.id).collect();
    let message = dice.pick(&known).copied().unwrap_or(MessageId::from_bits(u128::MAX));
    InboxCancelled { message, reason: InboxCancelReason::BySender }.into()
}

fn interrupt(session: &Session, dice: &mut Dice) -> Event {
    let turn = match dice.roll(4) {
        0 => session.turn().map(|turn| turn.id),
        1 => Some(TurnId::from_bits(u128::MAX)),
        _ => None,
    };
    InterruptRequested { turn }.into()
}

fn configure(dice: &mut Dice) -> Event {
    let change = match dice.roll(4) {
        0 => SettingChange::Limits(limits(dice)),
        1 => SettingChange::JobsAtEnd(JobsAtEnd::ALL[dice.roll(3) as usize]),
        _ => SettingChange::Mode([Mode::Auto, Mode::Normal, Mode::Plan][dice.roll(3) as usize]),
    };
    SessionConfigured { change }.into()
}

fn resolve(session: &Session, dice: &mut Dice, fresh: u128, now: Timestamp) -> Event {
    let open: Vec<ApprovalId> = session.open_approvals().map(|open| open.request.approval).collect();
    let approval = dice.pick(&open).copied().unwrap_or(ApprovalId::from_bits(fresh));
    let verdict = if dice.once_in(4) { ApprovalVerdict::Reject } else { ApprovalVerdict::Approve };
    let scope = if dice.once_in(3) { ApprovalScope::Session } else { ApprovalScope::Once };
    let valid_until = dice.once_in(4).then(|| now.plus_millis(dice.roll(40)));
    ApprovalResolved { approval, verdict, scope, valid_until, feedback: None }.into()
}

fn reconcile(session: &Session, dice: &mut Dice, fresh: u128) -> Event {
    let unknown: Vec<CallId> = session.unknown_calls().map(|unknown| unknown.call).collect();
    let call = dice.pick(&unknown).copied().unwrap_or(CallId::from_bits(fresh));
    let verdict =
        [ResolvedVerdict::Applied, ResolvedVerdict::NotApplied, ResolvedVerdict::GoOn][dice.roll(3) as usize];
    ReconciliationResolved { call, verdict, evidence: "somebody looked".into() }.into()
}

fn cancel_job(session: &Session, dice: &mut Dice, fresh: u128) -> Event {
    let known: Vec<JobId> = session.jobs().map(|job| job.id).collect();
    JobCancelRequested { job: dice.pick(&known).copied().unwrap_or(JobId::from_bits(fresh)) }.into()
}

fn sent_to_background(session: &Session, dice: &mut Dice, fresh: u128) -> Event {
    let calls = session.step().map_or(&[][..], |step| step.calls());
    let known: Vec<CallId> = calls.iter().map(|call| call.proposal.call).collect();
    BackgroundRequested { call: dice.pick(&known).copied().unwrap_or(CallId::from_bits(fresh)) }.into()
}
