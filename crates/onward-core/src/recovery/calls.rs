//! The calls of the open step, and the questions about them.

use onward_event::{AnswerStatus, Event, Handle, Occupies, OnUnknown, Recovery, Retry, Semantics, ToolStart};

use super::foresight::Foresight;
use super::plan::planned;
use super::{Item, Planned, Then};
use crate::prelude::*;
use crate::session::{Call, CallPhase};
use crate::{Action, Effect};

pub(super) fn plan(foresight: &Foresight, plan: &mut Vec<Planned>) {
    let calls = foresight.taken.step().map_or(&[][..], |step| step.calls());
    for (i, call) in calls.iter().enumerate() {
        let item = Item::Call { call: call.proposal.call, tool: call.proposal.name.clone() };
        let (then, why) = of_call(foresight, call, &calls[..i]);
        plan.push(planned(item, then, why));
    }
    for open in foresight.taken.open_approvals() {
        let answered = foresight.answer(open.request.call).is_some();
        let (then, why) = match answered {
            true => (Then::Cancel, format!("{} is answered without it", open.request.call)),
            false => (
                Then::Stand,
                format!(
                    "it waits for a person, as long as policy still asks about {} with the same resources",
                    open.request.call
                ),
            ),
        };
        plan.push(planned(Item::Approval(open.request.approval), then, why));
    }
}

fn of_call(foresight: &Foresight, call: &Call, earlier: &[Call]) -> (Then, String) {
    if let CallPhase::Answered(answer) = &call.phase {
        return (Then::Stand, format!("its answer is recorded: {}", status(answer.status)));
    }
    let id = call.proposal.call;
    if let Some(answer) = foresight.answer(id) {
        return answered_at_once(call, answer);
    }
    let due = foresight.due.iter().find(|effect| match effect.key.action {
        Action::Authorise(due)
        | Action::Run(due)
        | Action::Reconcile(due)
        | Action::Attach(due)
        | Action::Detach(due) => due == id,
        Action::Prepare(_)
        | Action::Ask(_)
        | Action::Salvage(_)
        | Action::WatchJob(_)
        | Action::Sleep { .. } => false,
    });
    match due {
        Some(effect) => performed(call, effect),
        None => (Then::Wait, waits(foresight, call, earlier)),
    }
}

/// Calls that need nothing from the world to be answered.
fn answered_at_once(call: &Call, answer: &Event) -> (Then, String) {
    let started = call.start().map(|start| format!("it had started (run {}), ", start.run));
    let started = started.unwrap_or_else(|| "it had not started, ".into());
    match answer {
        Event::ToolOutcomeUnknown(_) => {
            let why = "and nobody can find out by machine whether it had its effect; it never starts again";
            let held = match call.semantics().map(Semantics::on_unknown) {
                Some(OnUnknown::Block) => {
                    ". No conversation asks about it: its task is held until `onward reconcile` settles it"
                }
                Some(OnUnknown::Ask) | None => "",
            };
            (Then::Unknown, format!("{started}{why}{held}"))
        }
        Event::ToolCancelled(_) => (Then::Cancel, format!("{started}and the turn was interrupted")),
        Event::ToolDenied(_) => (Then::Deny, "it was rejected".into()),
        _ if call.proposal.invalid.is_some() => {
            (Then::Fail, "it is not a valid call; the model is told why".into())
        }
        _ => {
            let why = "has no effects, and may not run twice: its answer is lost, and the model is told so";
            (Then::Fail, format!("{started}{why}"))
        }
    }
}

fn performed(call: &Call, effect: &Effect) -> (Then, String) {
    match (effect.key.action, call.start()) {
        (Action::Attach(_), Some(start)) => (Then::Attach, attached(start, effect.stop)),
        (Action::Detach(_), Some(_)) => {
            let why = "it was to run in the background: if its command had begun, it is answered with a job at once; \
                       if not, it never will, and policy judges it again";
            (Then::Attach, why.into())
        }
        (Action::Reconcile(_), Some(start)) => {
            let why = format!(
                "it had started (run {}), and its tool can find out by content: if it happened, its result is recorded; if not, \
                 policy judges it again; if that cannot be told, its outcome is unknown",
                start.run
            );
            (Then::Reconcile, why)
        }
        (Action::Authorise(_), Some(start)) => (Then::RunAgain, run_again(start)),
        (Action::Authorise(_), None) => (Then::Authorise, judged(call)),
        _ => (Then::GoOn, "it goes on".into()),
    }
}

fn attached(start: &ToolStart, stop: bool) -> String {
    let place = match &start.handle {
        Handle::Supervised { name, place, .. } => format!("{name} on {}", place.machine),
        Handle::InProcess => "this process".into(),
    };
    let stopped = if stop { " It is told to stop, because the turn was interrupted." } else { "" };
    format!(
        "it was given to a supervisor ({place}), a process of its own. If that lives, the true result is recorded when \
         the command ends; if it has ended, the result that it left is recorded now. If the command never began, policy \
         judges it again; if the supervisor was killed, or the machine restarted since, the outcome is unknown.{stopped}"
    )
}

fn run_again(start: &ToolStart) -> String {
    let why = match &start.semantics {
        Semantics::None(Retry::Allowed) => String::from("and it changes nothing"),
        Semantics::Possible(Recovery::Idempotent(key)) => {
            format!("and the key {key} makes a second time void")
        }
        Semantics::None(Retry::Forbidden) | Semantics::Possible(_) => {
            String::from("and its semantics allow it")
        }
    };
    format!(
        "it had started (run {}), {why}: policy judges it again, then run {} begins",
        start.run,
        start.run + 1
    )
}

fn judged(call: &Call) -> String {
    match &call.phase {
        CallPhase::AwaitingApproval { approval, .. } => format!(
            "policy judges it again; if it still asks about the same thing, {approval} stands and a person is waited \
             for"
        ),
        CallPhase::Approved => {
            "a person has approved; policy judges it again, and the approval counts if it still asks about the same \
             tool, input and resources within its time"
                .into()
        }
        _ if call.runs > 0 => format!("run {} had no effect; policy judges it again", call.runs),
        _ => "it was not started; policy judges it now".into(),
    }
}

fn waits(foresight: &Foresight, call: &Call, earlier: &[Call]) -> String {
    let before = earlier.iter().find(|earlier| !earlier.is_answered() && earlier.conflicts_with(call));
    match before {
        Some(earlier) => format!("it touches what {} touches, and comes after it", earlier.proposal.call),
        None if call.proposal.occupies == Occupies::Job && foresight.taken.waits_for_place_of_job() => {
            let most = foresight.taken.spec().limits.max_jobs;
            format!("at most {most} jobs run at the same time")
        }
        None => {
            let most = foresight.taken.spec().limits.schedule.max_parallel_calls;
            format!("at most {most} calls are attended to at the same time")
        }
    }
}

fn status(status: AnswerStatus) -> &'static str {
    match status {
        AnswerStatus::Ok => "ok",
        AnswerStatus::Error => "an error",
        AnswerStatus::Timeout => "out of time",
        AnswerStatus::Denied => "denied",
        AnswerStatus::Cancelled => "cancelled",
        AnswerStatus::OutcomeUnknown => "outcome unknown",
    }
}
