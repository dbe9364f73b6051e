//! The fold of jobs.

use onward_event::{
    BackgroundRequested, JobCancelRequested, JobId, JobPhase, JobStarted, JobState, ReconciliationResolved,
    Record, Seq,
};

use super::{Fits, refuse};
use crate::prelude::*;
use crate::session::{BegunCall, Job, Session, Settled};

impl Session {
    /// Its call is still open: the answer follows in the same append.
    pub(super) fn job_started(&mut self, record: &Record, event: &JobStarted) -> Fits {
        let call = self.open_call(event.call)?;
        let Some(start) = call.start().filter(|start| start.is_supervised()).cloned() else {
            return refuse("its call does not run under a supervisor");
        };
        // A command that began in the foreground has run since then.
        let started = call.started_at().unwrap_or(record.at);
        let begun = BegunCall { tool: call.proposal.name.clone(), input: call.proposal.input.clone(), start };
        if event.job != JobId::of(event.call) || self.state.jobs.get(event.job).is_some() {
            return refuse("it is not the one job of its call");
        }
        self.state.jobs.insert(Job {
            id: event.job,
            call: event.call,
            command: event.command.clone(),
            begun,
            started,
            since: record.seq,
            phase: JobState::Running,
            summary: String::new(),
            at: record.at,
            artifact: None,
            cancel: None,
            settled: None,
        });
        Ok(())
    }

    pub(super) fn job_phase(&mut self, record: &Record, event: &JobPhase) -> Fits {
        let Some(job) = self.state.jobs.get_mut(event.job).filter(|job| job.is_open()) else {
            return refuse("there is no such job, or it has ended");
        };
        let fits = match (job.phase, event.phase) {
            (_, JobState::Running) => false,
            (JobState::Running, _) => true,
            (_, next) => next.is_end(),
        };
        if !fits {
            return refuse("a job runs, may then be reconciled, and ends once");
        }
        job.enter(record.seq, record.at, event);
        self.state.jobs.forget_old();
        Ok(())
    }

    /// A client's: one that comes after the end is folded as ignored.
    pub(super) fn job_cancel_requested(&mut self, seq: Seq, event: &JobCancelRequested) -> Fits {
        if let Some(job) = self.state.jobs.get_mut(event.job).filter(|job| job.is_open()) {
            job.cancel.get_or_insert(seq);
        }
        Ok(())
    }

    /// A client's: what cannot be sent to the background, or is being stopped, stays where it is.
    pub(super) fn background_requested(&mut self, event: &BackgroundRequested) -> Fits {
        let stops = self.turn().is_some_and(|turn| turn.interrupt.is_some());
        if !stops && let Ok(call) = self.open_call(event.call) {
            call.to_background = true;
        }
        Ok(())
    }

    /// A client's word about a job that nobody could find out about. False when it is about no such job.
    pub(super) fn job_settled(&mut self, event: &ReconciliationResolved) -> bool {
        let job = self.state.jobs.get_mut(JobId::of(event.call));
        let Some(job) = job.filter(|job| job.phase == JobState::Reconciling) else { return false };
        let settled = Settled { verdict: event.verdict, evidence: event.evidence.clone() };
        job.settled.get_or_insert(settled);
        true
    }
}
