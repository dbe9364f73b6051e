//! Rule 3: every id opens once and closes at most once, in its own parent; a child closes first; nothing is recorded
//! for a closed scope; and once the session is quiet, everything that was opened is closed.
//!
//! The answers and starts of a closed call are left to rule 9, which says more about them.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Display;

use onward_event::{
    ApprovalId, ArtifactId, AttemptId, CallId, Event, JobId, RunId, Seq, StepId, TurnId, TurnSource,
    TurnStart,
};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::{Rule, answered};

const RULE: u8 = 3;

#[derive(Default)]
pub(super) struct Nesting {
    created: bool,
    runs: BTreeSet<RunId>,
    turns: Scopes<TurnId, ()>,
    steps: Scopes<StepId, TurnId>,
    attempts: Scopes<AttemptId, StepId>,
    calls: Scopes<CallId, StepId>,
    approvals: BTreeSet<ApprovalId>,
    artifacts: BTreeSet<ArtifactId>,
    jobs: Scopes<JobId, ()>,
    /// Ended in this append.
    just_ended: BTreeSet<JobId>,
    /// Answered in this append: the artifacts of an answer may stand behind it.
    just_answered: BTreeSet<CallId>,
}

/// All scopes of one kind: the open ones with their parents, of the others only the ids.
struct Scopes<Id, Parent> {
    used: BTreeSet<Id>,
    open: BTreeMap<Id, (Parent, Seq)>,
}

impl Rule for Nesting {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        let event = &seen.record.event;
        self.check_created(event, at, out);
        match event {
            Event::TurnStart(_) | Event::StepStart(_) | Event::AttemptStart(_) | Event::ToolCall(_) => {
                self.open(event, at, out);
            }
            Event::TurnEnd(_) | Event::StepEnd(_) | Event::AttemptEnd(_) => self.close(event, at, out),
            Event::RequestPrepared(body) => self.steps.needs(body.step, event.kind(), at, out),
            Event::AssistantAccepted(body) => self.steps.needs(body.step, event.kind(), at, out),
            Event::PolicyDecided(body) => self.calls.needs(body.call, event.kind(), at, out),
            Event::ToolReconciled(body) => self.calls.needs(body.call, event.kind(), at, out),
            Event::ApprovalRequested(body) => {
                open_once(&mut self.approvals, body.approval, at, out);
                self.calls.needs(body.call, event.kind(), at, out);
            }
            Event::ArtifactStored(body) => {
                open_once(&mut self.artifacts, body.artifact, at, out);
                let job = JobId::of(body.call);
                let of_job = self.jobs.open.contains_key(&job) || self.just_ended.contains(&job);
                if !of_job && !self.just_answered.contains(&body.call) {
                    self.calls.needs(body.call, event.kind(), at, out);
                }
            }
            Event::JobStarted(body) => {
                self.calls.needs(body.call, event.kind(), at, out);
                self.jobs.open(body.job, (), at, out);
            }
            Event::JobPhase(body) if body.phase.is_end() => {
                self.jobs.close(body.job, event.kind(), at, out);
                self.just_ended.insert(body.job);
            }
            Event::JobPhase(body) => self.jobs.needs(body.job, event.kind(), at, out),
            _ => {
                if let Some(call) = answered(event)
                    && self.calls.open.remove(&call).is_some()
                {
                    self.just_answered.insert(call);
                }
            }
        }
    }

    fn append_ends(&mut self, _: &mut Findings) {
        self.just_answered.clear();
        self.just_ended.clear();
    }

    fn quiet(&mut self, out: &mut Findings) {
        self.steps.report_open("the session is quiet", out);
        self.attempts.report_open("the session is quiet", out);
    }
}

impl Nesting {
    fn check_created(&mut self, event: &Event, at: Seq, out: &mut Findings) {
        let creates = matches!(event, Event::SessionCreated(_));
        if creates && self.created {
            out.violation(RULE, at, "the session is created a second time".into());
        } else if !creates && !self.created {
            out.violation(RULE, at, format!("{} stands before session/created", event.kind()));
        }
        self.created = true;
    }

    fn open(&mut self, event: &Event, at: Seq, out: &mut Findings) {
        match event {
            Event::TurnStart(body) => {
                self.open_run(body, at, out);
                self.turns.open(body.turn, (), at, out);
            }
            Event::StepStart(body) => {
                self.turns.needs(body.turn, event.kind(), at, out);
                self.steps.open(body.step, body.turn, at, out);
            }
            Event::AttemptStart(body) => {
                self.steps.needs(body.step, event.kind(), at, out);
                self.attempts.open(body.attempt, body.step, at, out);
            }
            Event::ToolCall(body) => {
                self.steps.needs(body.step, event.kind(), at, out);
                self.calls.open(body.call, body.step, at, out);
            }
            _ => {}
        }
    }

    /// A run is opened by the turn that claims its messages; that a continuation carries on the right one is for
    /// rule 5.
    fn open_run(&mut self, body: &TurnStart, at: Seq, out: &mut Findings) {
        match body.source {
            TurnSource::Messages(_) => open_once(&mut self.runs, body.run, at, out),
            TurnSource::Continuation(_) => {
                self.runs.insert(body.run);
            }
        }
    }

    fn close(&mut self, event: &Event, at: Seq, out: &mut Findings) {
        match event {
            Event::TurnEnd(body) => {
                let steps = self.steps.take_children(&body.turn);
                for step in &steps {
                    let _ = self.attempts.take_children(step);
                    let _ = self.calls.take_children(step);
                }
                report_children(&body.turn, &steps, at, out);
                self.turns.close(body.turn, event.kind(), at, out);
            }
            Event::StepEnd(body) => {
                report_children(&body.step, &self.attempts.take_children(&body.step), at, out);
                // Unanswered calls are reported by rule 14.
                let _ = self.calls.take_children(&body.step);
                self.steps.close(body.step, event.kind(), at, out);
            }
            Event::AttemptEnd(body) => self.attempts.close(body.attempt, event.kind(), at, out),
            _ => {}
        }
    }
}

impl<Id: Copy + Ord + Display, Parent: PartialEq> Scopes<Id, Parent> {
    fn open(&mut self, id: Id, parent: Parent, at: Seq, out: &mut Findings) {
        open_once(&mut self.used, id, at, out);
        self.open.insert(id, (parent, at));
    }

    fn close(&mut self, id: Id, kind: &str, at: Seq, out: &mut Findings) {
        self.needs(id, kind, at, out);
        self.open.remove(&id);
    }

    /// Reports a record for a scope that is not open.
    fn needs(&self, id: Id, kind: &str, at: Seq, out: &mut Findings) {
        if self.open.contains_key(&id) {
            return;
        }
        let state = if self.used.contains(&id) { "is closed" } else { "was never opened" };
        out.violation(RULE, at, format!("{kind} is recorded for {id}, which {state}"));
    }

    fn take_children(&mut self, parent: &Parent) -> Vec<Id> {
        let is_child = |(id, (of, _)): (&Id, &(Parent, Seq))| (of == parent).then_some(*id);
        let children: Vec<Id> = self.open.iter().filter_map(is_child).collect();
        for child in &children {
            self.open.remove(child);
        }
        children
    }

    fn report_open(&self, when: &str, out: &mut Findings) {
        for (id, (_, opened)) in &self.open {
            out.violation(RULE, *opened, format!("{when}, but {id}, opened here, was never closed"));
        }
    }
}

impl<Id, Parent> Default for Scopes<Id, Parent> {
    fn default() -> Self {
        Self { used: BTreeSet::new(), open: BTreeMap::new() }
    }
}

fn open_once<Id: Ord + Copy + Display>(used: &mut BTreeSet<Id>, id: Id, at: Seq, out: &mut Findings) {
    if !used.insert(id) {
        out.violation(RULE, at, format!("{id} is opened a second time"));
    }
}

fn report_children<Parent: Display, Id: Display>(
    parent: &Parent,
    children: &[Id],
    at: Seq,
    out: &mut Findings,
) {
    for child in children {
        let what: String = format!("{parent} ends while {child} in it is still open");
        out.violation(RULE, at, what);
    }
}
