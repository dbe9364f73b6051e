//! What must hold in the end, beside what the checker says of the log alone.

use std::collections::BTreeMap;

use onward_event::{CallId, Event, MessageId, ReconcileVerdict, ResultStatus, Seq};

use super::world::{World, locked};
use super::wrong::WrongKind;

/// Every acknowledged message is in the log once, and has come to an end if it starts work by itself.
pub(super) fn inputs(world: &World, acknowledged: &[MessageId]) {
    let records = world.store.records(Seq(0));
    for id in acknowledged {
        let received = records.iter().filter_map(|record| match &record.event {
            Event::InboxReceived(received) if received.message.id == *id => Some(received.message.wakeup),
            _ => None,
        });
        let received: Vec<bool> = received.collect();
        if received.len() != 1 {
            let what = format!("{id} was acknowledged and is in the log {} times", received.len());
            world.blame(WrongKind::InputLost, what);
        }
        let ended = records.iter().any(|record| match &record.event {
            Event::RequestPrepared(prepared) => prepared.includes.contains(id),
            Event::InboxCancelled(cancelled) => cancelled.message == *id,
            _ => false,
        });
        if received.contains(&true) && !ended {
            world.blame(WrongKind::InputLost, format!("{id} was acknowledged and has no end"));
        }
    }
}

/// What the log says of a call is what happened.
pub(super) fn answers(world: &World) {
    let records = world.store.records(Seq(0));
    let mut names: BTreeMap<CallId, &str> = BTreeMap::new();
    let effects = locked(&world.outside).effects.clone();
    let times = |call: &CallId| effects.get(call).copied().unwrap_or_default();
    for record in &records {
        let told = match &record.event {
            Event::ToolCall(call) => {
                names.insert(call.call, &call.name);
                continue;
            }
            Event::ToolResult(result) => {
                let acts = !matches!(names.get(&result.call), Some(&"look" | &"peek") | None);
                let job = records.iter().any(|other| is_job_of(&other.event, result.call));
                (result.status == ResultStatus::Ok && acts && !job).then_some((result.call, true))
            }
            Event::JobPhase(job) if job.status == Some(ResultStatus::Ok) && job.reason.is_none() => {
                Some((job.job.call(), true))
            }
            Event::ToolDenied(denied) => Some((denied.call, false)),
            Event::ToolCancelled(cancelled) if !cancelled.started => Some((cancelled.call, false)),
            Event::ToolReconciled(found) if found.verdict == ReconcileVerdict::Applied => None,
            _ => None,
        };
        let Some((call, acted)) = told else { continue };
        if (times(&call) > 0) != acted {
            let what =
                format!("record {} says of {call} what its {} effects contradict", record.seq, times(&call));
            world.blame(WrongKind::Untrue, what);
        }
    }
}

fn is_job_of(event: &Event, call: CallId) -> bool {
    matches!(event, Event::JobStarted(job) if job.call == call)
}
