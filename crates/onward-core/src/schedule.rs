//! The scheduler: which calls may begin now, which wait for a place, and which are one too many. It looks at the state
//! alone, so the owner that follows a crash gives out the same places.
//!
//! | | at once | waiting | in all |
//! |---|---|---|---|
//! | calls | `max_parallel_calls` | `max_queued_calls` | the budgets of the run |
//! | jobs | `max_jobs` | `max_queued_jobs` | `max_session_jobs` |
//!
//! A call that waits holds no place: neither one that a person is asked about, nor one that waits for a job. What has
//! started keeps its place until it is answered. Implements the scheduler of seed section 8.

use onward_event::Occupies;

use crate::prelude::*;
use crate::session::{Call, CallPhase, Session};
use crate::words;

/// The places that are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    calls: usize,
    jobs: usize,
}

/// Why a call is answered without being started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) code: &'static str,
    pub(crate) words: String,
}

impl Places {
    /// What is free beside everything that has started.
    pub(crate) fn free(session: &Session, calls: &[Call]) -> Self {
        let limits = &session.spec().limits;
        let working = calls.iter().filter(|call| is_working(session, call));
        let holding = working.filter(|call| call.proposal.occupies != Occupies::Nothing).count();
        Self {
            calls: (limits.schedule.max_parallel_calls as usize).saturating_sub(holding),
            jobs: (limits.max_jobs as usize).saturating_sub(jobs_held(session, calls)),
        }
    }

    /// Takes what the call needs to begin; false when it has to wait.
    pub(crate) fn take(&mut self, call: &Call) -> bool {
        let needs_job = becomes_job(call);
        if self.calls == 0 || (needs_job && self.jobs == 0) {
            return false;
        }
        self.calls -= 1;
        self.jobs -= usize::from(needs_job);
        true
    }
}

/// Why this call of the step cannot even wait.
pub(crate) fn refused(session: &Session, calls: &[Call], at: usize) -> Option<Refused> {
    // One that has run was given its place before.
    let call = calls.get(at).filter(|call| matches!(call.phase, CallPhase::Proposed) && call.runs == 0)?;
    let (limits, ahead) = (&session.spec().limits, &calls[..at]);
    let schedule = &limits.schedule;
    let before = ahead.iter().filter(|call| !call.is_answered()).count();
    if before >= (schedule.max_parallel_calls as usize).saturating_add(schedule.max_queued_calls as usize) {
        let words = words::queue_full(schedule.max_parallel_calls, schedule.max_queued_calls);
        return Some(Refused { code: "queue_full", words });
    }
    if !becomes_job(call) {
        return None;
    }
    let coming = ahead.iter().filter(|call| !call.is_answered() && becomes_job(call)).count();
    let begun = (session.state.jobs.begun() as usize).saturating_add(coming);
    if begun >= schedule.max_session_jobs as usize {
        let words = words::job_budget(schedule.max_session_jobs);
        return Some(Refused { code: "job_budget_exhausted", words });
    }
    let waiting = session.state.jobs.open().count().saturating_add(coming);
    (waiting >= (limits.max_jobs as usize).saturating_add(schedule.max_queued_jobs as usize)).then(|| {
        Refused {
            code: "too_many_jobs",
            words: words::too_many_jobs(limits.max_jobs, schedule.max_queued_jobs),
        }
    })
}

impl Session {
    /// Whether a call of the open step can only begin when a job ends.
    pub fn waits_for_place_of_job(&self) -> bool {
        let calls = self.step().map_or(&[][..], |step| step.calls());
        let interrupted = self.turn().is_some_and(|turn| turn.interrupt.is_some());
        let waits = |call: &Call| call.wants_authorisation(self.epoch()) && becomes_job(call);
        !interrupted && calls.iter().any(waits) && Places::free(self, calls).jobs == 0
    }

    /// Whether no more jobs may run.
    pub(crate) fn jobs_are_full(&self) -> bool {
        let calls = self.step().map_or(&[][..], |step| step.calls());
        Places::free(self, calls).jobs == 0
    }
}

/// Whether it has started and goes on. One that a crash cut off and that is to begin anew has given its place back.
fn is_working(session: &Session, call: &Call) -> bool {
    call.start().is_some() && !call.wants_authorisation(session.epoch())
}

/// Jobs that are open, and calls that are about to become one.
fn jobs_held(session: &Session, calls: &[Call]) -> usize {
    let working = calls.iter().filter(|call| is_working(session, call));
    let starting = working.filter_map(Call::start).filter(|start| start.is_background()).count();
    session.state.jobs.open().count() + starting
}

/// Whether it is answered with a job, as far as is known before it is judged.
fn becomes_job(call: &Call) -> bool {
    call.proposal.occupies == Occupies::Job
}
