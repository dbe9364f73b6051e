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
    /// What is done, and to what.
    pub action: Action,
    /// The record that caused it.
    pub cause: Seq,
    /// The owner's epoch.
    pub epoch: Epoch,
}

/// Something to do in the world, or to stop doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Effect {
    /// What it is, and its name.
    pub key: EffectKey,
    /// The turn is interrupted, or the job is to be stopped: if it is in flight it must stop, and if not it must not
    /// begin. Its outcome is wanted all the same.
    pub stop: bool,
}

/// What there is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
    /// Do nothing until the step goes on by itself ([`crate::Input::Advance`]).
    Sleep {
        /// The step.
        step: StepId,
        /// When it goes on.
        until: Timestamp,
    },
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
            key: self.key(Action::WatchJob(job.id), job.since),
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

    fn key(&self, action: Action, cause: Seq) -> EffectKey {
        EffectKey { action, cause, epoch: self.state.epoch }
    }

    fn due_in(&self, turn: &Turn, step: &Step) -> Vec<Effect> {
        let stop = turn.interrupt.is_some();
        let only = |action, cause| vec![Effect { key: self.key(action, cause), stop }];
        match &step.phase {
            // These end without the world's help when the turn does.
            StepPhase::Preparing | StepPhase::Retrying { .. } if stop || turn.orphaned => Vec::new(),
            StepPhase::Preparing => only(Action::Prepare(step.id), step.since),
            // Also when that time has come meanwhile: sleeping no longer is what lets the step go on.
            StepPhase::Retrying { at } => only(Action::Sleep { step: step.id, until: *at }, step.since),
            StepPhase::Failed | StepPhase::Answered => Vec::new(),
            StepPhase::Asking { attempt, since, epoch } if *epoch < self.state.epoch => {
                only(Action::Salvage(*attempt), *since)
            }
            StepPhase::Asking { attempt, since, .. } => only(Action::Ask(*attempt), *since),
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
            let Some(action) = action_for(call, id, now, stop) else { continue };
            let blocked =
                calls[..i].iter().any(|earlier| !earlier.is_answered() && earlier.conflicts_with(call));
            if matches!(action, Action::Authorise(_)) && (blocked || !places.take(call)) {
                continue;
            }
            due.push(Effect { key: self.key(action, call.since), stop });
        }
        due
    }
}

fn action_for(call: &Call, id: CallId, now: Epoch, stop: bool) -> Option<Action> {
    if call.wants_authorisation(now) {
        return (!stop).then_some(Action::Authorise(id));
    }
    if call.wants_detaching(now) {
        return Some(Action::Detach(id));
    }
    match (call.orphaned(now), call.semantics()) {
        (Some(start), _) if start.is_supervised() => Some(Action::Attach(id)),
        (Some(_), Some(Semantics::Possible(Recovery::Reconcile(_)))) => Some(Action::Reconcile(id)),
        // What no tool can find out is settled without the world: see `advance`.
        (Some(_), _) | (None, None) => None,
        (None, Some(_)) => Some(Action::Run(id)),
    }
}
