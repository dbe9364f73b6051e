//! Rule 19, for jobs: a job is of one call, which is answered in the append that starts it; it goes through its phases
//! in their order; and its end left one message with its owner, in the same append.
//!
//! That it opens and ends once, and that nothing is recorded for it afterwards, is for rule 3.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::vec::Vec;

use onward_event::{
    CallId, Event, Handle, InboxMessage, JobId, JobPhase, JobReason, JobStarted, JobState, MessageId, Origin,
    Seq,
};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 19;

#[derive(Default)]
pub(super) struct Jobs {
    /// Calls that run under a supervisor, with the names of their executions.
    supervised: BTreeMap<CallId, alloc::string::String>,
    /// Jobs that have not ended, and whether they are reconciled.
    open: BTreeMap<JobId, bool>,
    /// Jobs whose end somebody asked for.
    cancelled: BTreeSet<JobId>,
    /// Reconciled jobs that somebody has said something about.
    settled: BTreeSet<JobId>,
    /// Started in this append, the answer not yet seen.
    unanswered: Vec<(CallId, Seq)>,
    /// Ended in this append, the message not yet seen.
    untold: BTreeMap<MessageId, (JobId, Seq)>,
}

impl Rule for Jobs {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::ToolStart(body) => match &body.handle {
                Handle::Supervised { name, .. } => {
                    self.supervised.insert(body.call, name.clone());
                }
                Handle::InProcess => {
                    self.supervised.remove(&body.call);
                }
            },
            Event::JobStarted(body) => self.start(body, at, out),
            Event::JobCancelRequested(body) => {
                self.cancelled.insert(body.job);
            }
            Event::ReconciliationResolved(body) => {
                if self.open.get(&JobId::of(body.call)) == Some(&true) {
                    self.settled.insert(JobId::of(body.call));
                }
            }
            Event::JobPhase(body) => self.change(body, at, out),
            Event::InboxReceived(body) => self.tell(&body.message, at, out),
            event => {
                if let Some(call) = answered(event) {
                    self.supervised.remove(&call);
                    self.unanswered.retain(|(started, _)| *started != call);
                }
            }
        }
    }

    fn append_ends(&mut self, out: &mut Findings) {
        for (call, at) in self.unanswered.drain(..) {
            let what = format!("{call} goes on as a job, but its answer does not follow in the same append");
            out.violation(RULE, at, what);
        }
        while let Some((_, (job, at))) = self.untold.pop_first() {
            let what = format!("{job} has ended, but no message to its owner follows in the same append");
            out.violation(RULE, at, what);
        }
    }
}

impl Jobs {
    fn start(&mut self, body: &JobStarted, at: Seq, out: &mut Findings) {
        let why = match self.supervised.get(&body.call) {
            _ if body.job != JobId::of(body.call) => Some("is not named after its call"),
            None => Some("is of a call that does not run under a supervisor"),
            Some(name) if *name != body.name => Some("names another execution than its call's start"),
            Some(_) => None,
        };
        if let Some(why) = why {
            out.violation(RULE, at, format!("{} {why}", body.job));
        }
        self.open.insert(body.job, false);
        self.unanswered.push((body.call, at));
    }

    fn change(&mut self, body: &JobPhase, at: Seq, out: &mut Findings) {
        // For a job that is not open, rule 3 reports.
        let Some(reconciled) = self.open.get_mut(&body.job) else { return };
        let why = match body.phase {
            JobState::Running => Some("is said to run, which it did from its start"),
            JobState::Reconciling if *reconciled => Some("is reconciled already"),
            JobState::Cancelled if !self.cancelled.contains(&body.job) => {
                Some("is cancelled, but nobody asked for that")
            }
            _ if body.reason == Some(JobReason::Settled) && !self.settled.contains(&body.job) => {
                Some("is settled from outside, but nobody said what became of it while it was unknown")
            }
            _ => None,
        };
        if let Some(why) = why {
            out.violation(RULE, at, format!("{} {why}", body.job));
        }
        *reconciled |= body.phase == JobState::Reconciling;
        if body.phase.is_end() {
            self.open.remove(&body.job);
            self.untold.insert(body.job.notice(), (body.job, at));
        }
    }

    /// Messages of jobs are written by the runtime, at their ends and never else.
    fn tell(&mut self, message: &InboxMessage, at: Seq, out: &mut Findings) {
        let expected = self.untold.remove(&message.id).is_some();
        if expected != (message.origin == Origin::Job) {
            let what = match expected {
                true => format!("{} tells of the end of a job, but does not say so", message.id),
                false => format!("{} comes from a job, but none has ended in its append", message.id),
            };
            out.violation(RULE, at, what);
        }
    }
}
