//! What must hold in the end, beside what the checker says of the log alone.

use std::collections::{BTreeMap, BTreeSet};

use onward_event::{
    CallId, Event, JobReason, MessageId, ReconcileVerdict, Record, ResultStatus, Seq, Timestamp, ToolResult,
};

use super::outside::Effect;
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
    let mut calls = Calls { effects: locked(&world.outside).effects.clone(), ..Calls::default() };
    calls.jobs.extend(records.iter().filter_map(|record| match &record.event {
        Event::JobStarted(job) => Some(job.call),
        _ => None,
    }));
    for record in &records {
        if let Some((call, what)) = calls.contradicted(record) {
            let effects = calls.effects.get(&call).map_or(0, Vec::len);
            let what = format!(
                "record {} says of {call} that {what}, which its {effects} effects contradict",
                record.seq
            );
            world.blame(WrongKind::Untrue, what);
        }
    }
}

/// What is known of the calls up to a record, and what really became of them.
#[derive(Default)]
struct Calls {
    effects: BTreeMap<CallId, Vec<Effect>>,
    names: BTreeMap<CallId, String>,
    /// The latest run that was started.
    runs: BTreeMap<CallId, u32>,
    /// Calls that are answered when their job has begun, and not when they have acted.
    jobs: BTreeSet<CallId>,
}

impl Calls {
    /// Reads the next record. What it says that is not so.
    fn contradicted(&mut self, record: &Record) -> Option<(CallId, &'static str)> {
        match &record.event {
            Event::ToolCall(call) => drop(self.names.insert(call.call, call.name.clone())),
            Event::ToolStart(start) => drop(self.runs.insert(start.call, start.run)),
            _ => {}
        }
        let (call, what, holds) = self.said(record)?;
        (!holds).then_some((call, what))
    }

    /// What a record says of a call, and whether it is so; none when it says nothing that could be seen outside.
    fn said(&self, record: &Record) -> Option<(CallId, &'static str, bool)> {
        Some(match &record.event {
            Event::ToolResult(ToolResult { call, status, .. }) => match status {
                ResultStatus::Ok if self.acts(*call) => (*call, "it was done", self.acted(*call)),
                ResultStatus::Error { .. } => {
                    (*call, "it failed without an effect", !self.acted_in_this_run(*call))
                }
                // What takes too long may have acted before.
                ResultStatus::Ok | ResultStatus::Timeout => return None,
            },
            Event::JobPhase(job) => match (job.status.as_ref(), job.reason) {
                (Some(ResultStatus::Ok), None) => {
                    (job.job.call(), "its job was done", self.acted(job.job.call()))
                }
                (_, Some(JobReason::ExecutorError)) => {
                    (job.job.call(), "its job never began", !self.acted(job.job.call()))
                }
                _ => return None,
            },
            Event::ToolDenied(denied) => (denied.call, "it was denied", !self.acted(denied.call)),
            Event::ToolCancelled(cancelled) if !cancelled.started => {
                (cancelled.call, "it never started", !self.acted(cancelled.call))
            }
            Event::ToolCancelled(cancelled) if cancelled.content.contains(super::tools::STOPPED_BEFORE) => {
                (cancelled.call, "it was stopped before it acted", !self.acted_in_this_run(cancelled.call))
            }
            Event::ToolCancelled(cancelled) if cancelled.content.contains(super::tools::STOPPED_AFTER) => {
                let acted = !self.could_act(cancelled.call) || self.acted(cancelled.call);
                (cancelled.call, "it was stopped after it acted", acted)
            }
            Event::ToolReconciled(found) if found.verdict == ReconcileVerdict::NotApplied => {
                (found.call, "it had not been applied", !self.was_applied(found.call, record.at))
            }
            _ => return None,
        })
    }

    /// Whether a call of this name can have an effect.
    fn could_act(&self, call: CallId) -> bool {
        !matches!(self.names.get(&call).map(String::as_str), Some("look" | "peek") | None)
    }

    /// Whether its answer means that it had one.
    fn acts(&self, call: CallId) -> bool {
        self.could_act(call) && !self.jobs.contains(&call)
    }

    fn acted(&self, call: CallId) -> bool {
        self.effects.contains_key(&call)
    }

    fn acted_in_this_run(&self, call: CallId) -> bool {
        let run = self.runs.get(&call);
        self.effects.get(&call).into_iter().flatten().any(|effect| Some(&effect.run) == run)
    }

    /// Whether a run up to the latest one had its effect before that time; or ever, where a gate keeps it from beginning.
    /// One without a supervisor may belong to a process that is frozen, and act when that wakes.
    fn was_applied(&self, call: CallId, at: Timestamp) -> bool {
        let run = self.runs.get(&call).copied().unwrap_or_default();
        let gated = self.names.get(&call).is_some_and(|name| name == "launch");
        let mut effects = self.effects.get(&call).into_iter().flatten();
        effects.any(|effect| effect.run <= run && (gated || effect.at < at))
    }
}
