//! What the state calls for: a list that is derived from the log alone, never remembered.

use onward_event::{
    ApprovalId, AttemptId, CallId, Epoch, JobId, JobState, Recovery, Semantics, Seq, StepId, Timestamp,
};

use crate::prelude::*;
use crate::schedule::Places;
use crate::session::{Call, Session, Step, StepPhase, Turn};

/// Names an effect: the same effect has the same key, whatever was recorded in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EffectKey {
    /// What kind of thing is done.
    pub kind: &'static str,
    /// To what, as the bits of its id.
    pub id: u128,
    /// The record that caused it.
    pub cause: Seq,
    /// The owner's epoch.
    pub epoch: Epoch,
}

/// Something to do in the world, or to stop doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Its name.
    pub key: EffectKey,
    /// What it is.
    pub action: Action,
    /// The turn is interrupted, or the job is to be stopped: if it is in flight it must stop, and if not it must not
    /// begin. Its outcome is wanted all the same.
    pub stop: bool,
}

/// What there is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Put the step's request together ([`crate::Input::Prepared`]).
    Prepare(StepId),
    /// Ask the model ([`crate::Input::AttemptEnded`]).
    Ask(AttemptId),
    /// Collect what is left of an attempt whose process died ([`crate::Input::AttemptEnded`], interrupted).
    Salvage(AttemptId),
    /// Plan the call and have policy judge it ([`crate::Input::Authorised`]).
    Authorise(CallId),
    /// Run the call ([`crate::Input::Ran`]).
    Run(CallId),
    /// Find out what became of a call whose process died ([`crate::Input::Reconciled`]).
    Reconcile(CallId),
    /// Find a call again that runs under a supervisor, and wait for its end ([`crate::Input::Reconciled`]).
    Attach(CallId),
    /// Find out whether a call's command has begun under its supervisor, and do not wait for its end
    /// ([`crate::Input::Reconciled`]): it is answered with a job.
    Detach(CallId),
    /// Wait for the end of a job ([`crate::Input::JobEnded`]). Holds nothing up.
    WatchJob(JobId),
    /// Do nothing until then ([`crate::Input::Advance`]).
    Sleep(Timestamp),
}

/// What a session waits for; derived, never recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wait {
    /// A person's verdict.
    Approval(ApprovalId),
    /// Somebody who finds out what became of a call, or of the job that it began.
    Settlement(CallId),
    /// The end of a job.
    Job(JobId),
    /// The time of the next attempt.
    Retry(Timestamp),
}

impl Session {
    /// Everything that is to be done now. The runtime starts what is not in flight and stops what is in flight and
    /// no longer listed, or listed with [`Effect::stop`]. Without an owner there is nothing to do.
    pub fn due(&self) -> Vec<Effect> {
        if !self.state.owned {
            return Vec::new();
        }
        let turn = self.state.turn.as_ref();
        let step = turn.and_then(|turn| turn.step.as_ref().map(|step| self.due_in(turn, step)));
        step.into_iter().flatten().chain(self.due_jobs()).collect()
    }

    /// Every job that runs is watched, whoever started it.
    fn due_jobs(&self) -> impl Iterator<Item = Effect> {
        let running = self.state.jobs.open().filter(|job| job.phase == JobState::Running);
        running.map(|job| Effect {
            key: EffectKey { kind: "watch", id: job.id.bits(), cause: job.since, epoch: self.state.epoch },
            action: Action::WatchJob(job.id),
            stop: job.cancel.is_some(),
        })
    }

    /// What it waits for.
    pub fn waiting_on(&self) -> Vec<Wait> {
        let approvals = self.open_approvals().map(|open| Wait::Approval(open.request.approval));
        // Also one whose turn was interrupted: nothing goes on from it, and somebody must find out all the same.
        let unknown = self.state.unknown.keys().map(|call| Wait::Settlement(*call));
        let jobs = self.state.jobs.open().map(|job| match job.phase {
            JobState::Reconciling => Wait::Settlement(job.call),
            _ => Wait::Job(job.id),
        });
        let retry = self.step().and_then(|step| match step.phase {
            StepPhase::Retrying { at } => Some(Wait::Retry(at)),
            _ => None,
        });
        approvals.chain(unknown).chain(retry).chain(jobs).collect()
    }

    fn due_in(&self, turn: &Turn, step: &Step) -> Vec<Effect> {
        let stop = turn.interrupt.is_some();
        let key = |kind, id, cause| EffectKey { kind, id, cause, epoch: self.state.epoch };
        match &step.phase {
            // These end without the world's help when the turn does.
            StepPhase::Preparing | StepPhase::Retrying { .. } if stop || turn.orphaned => Vec::new(),
            StepPhase::Preparing => {
                let key = key("prepare", step.id.bits(), step.since);
                vec![Effect { key, action: Action::Prepare(step.id), stop }]
            }
            // Also when that time has come meanwhile: sleeping no longer is what lets the step go on.
            StepPhase::Retrying { at } => {
                let key = key("sleep", step.id.bits(), Seq(u64::from(step.attempts)));
                vec![Effect { key, action: Action::Sleep(*at), stop }]
            }
            StepPhase::Failed | StepPhase::Answered => Vec::new(),
            StepPhase::Asking { attempt, since, epoch } if *epoch < self.state.epoch => {
                vec![Effect {
                    key: key("salvage", attempt.bits(), *since),
                    action: Action::Salvage(*attempt),
                    stop,
                }]
            }
            StepPhase::Asking { attempt, since, .. } => {
                vec![Effect { key: key("ask", attempt.bits(), *since), action: Action::Ask(*attempt), stop }]
            }
            StepPhase::Calling(calls) => self.due_calls(calls, stop),
        }
    }

    /// Calls in their order: one that touches what an earlier, unanswered one touches waits for it, so a call that
    /// waits for a person keeps its place in the order. What has started is always listed: it is never given up for
    /// want of a place.
    fn due_calls(&self, calls: &[Call], stop: bool) -> Vec<Effect> {
        let now = self.state.epoch;
        let mut places = Places::free(self, calls);
        let mut due = Vec::new();
        for (i, call) in calls.iter().enumerate() {
            if call.is_answered() {
                continue;
            }
            let id = call.proposal.call;
            let Some((kind, action)) = action_for(call, id, now, stop) else { continue };
            let blocked =
                calls[..i].iter().any(|earlier| !earlier.is_answered() && earlier.conflicts_with(call));
            if matches!(action, Action::Authorise(_)) && (blocked || !places.take(call)) {
                continue;
            }
            let key = EffectKey { kind, id: id.bits(), cause: call.since, epoch: now };
            due.push(Effect { key, action, stop });
        }
        due
    }
}

fn action_for(call: &Call, id: CallId, now: Epoch, stop: bool) -> Option<(&'static str, Action)> {
    if call.wants_authorisation(now) {
        return (!stop).then_some(("authorise", Action::Authorise(id)));
    }
    if call.wants_detaching(now) {
        return Some(("detach", Action::Detach(id)));
    }
    match (call.orphaned(now), call.semantics()) {
        (Some(start), _) if start.is_supervised() => Some(("attach", Action::Attach(id))),
        (Some(_), Some(Semantics::Possible(Recovery::Reconcile(_)))) => {
            Some(("reconcile", Action::Reconcile(id)))
        }
        // What no tool can find out is settled without the world: see `advance`.
        (Some(_), _) | (None, None) => None,
        (None, Some(_)) => Some(("run", Action::Run(id))),
    }
}
