//! What a person sees of the session: a fold of its own, which follows the log.

use onward_core::Session;
use onward_event::{ApprovalId, CallId, Event, JobId, MessageId, Seq};

use super::world::World;

/// A fold, and what was ever asked and sent.
#[derive(Default)]
pub(super) struct View {
    session: Option<Session>,
    losses: u64,
    pub(super) asked: Vec<ApprovalId>,
    /// Why the log cannot be folded.
    unfit: Option<String>,
}

impl View {
    /// Reads what is new; everything again after a loss of power.
    pub(super) fn refresh(&mut self, world: &World) {
        let losses = world.store.losses();
        if losses != self.losses {
            *self = Self { losses, ..Self::default() };
        }
        if self.unfit.is_some() {
            return;
        }
        let after = self.session.as_ref().map_or(Seq(0), Session::head);
        for record in world.store.records(after) {
            if let Event::ApprovalRequested(asked) = &record.event {
                self.asked.push(asked.approval);
            }
            let applied = match &mut self.session {
                None => Session::create(&record).map(|session| self.session = Some(session)),
                Some(session) => session.apply(&record),
            };
            if let Err(error) = applied {
                self.unfit = Some(format!("record {} does not fit: {error}", record.seq));
                return;
            }
        }
    }

    pub(super) fn open_approvals(&self) -> Vec<ApprovalId> {
        self.session.iter().flat_map(Session::open_approvals).map(|open| open.request.approval).collect()
    }

    pub(super) fn unknown(&self) -> Vec<CallId> {
        let Some(session) = &self.session else { return Vec::new() };
        let calls = session.unknown_calls().map(|unknown| unknown.call);
        let jobs = session.jobs().filter(|job| job.phase == onward_event::JobState::Reconciling);
        calls.chain(jobs.map(|job| job.call)).collect()
    }

    pub(super) fn pending(&self) -> Vec<MessageId> {
        self.session.iter().flat_map(Session::pending_messages).map(|pending| pending.message.id).collect()
    }

    pub(super) fn open_calls(&self) -> Vec<CallId> {
        let step = self.session.as_ref().and_then(Session::step);
        let calls = step.map_or(&[][..], |step| step.calls());
        calls.iter().filter(|call| !call.is_answered()).map(|call| call.proposal.call).collect()
    }

    pub(super) fn open_jobs(&self) -> Vec<JobId> {
        self.session.iter().flat_map(Session::jobs).filter(|job| job.is_open()).map(|job| job.id).collect()
    }

    /// Why nobody can go on with the session, whatever is left.
    pub(super) fn unfit(&self) -> Option<&str> {
        self.unfit.as_deref()
    }

    /// What is left to do; empty when the session is at rest.
    pub(super) fn left(&self) -> Vec<String> {
        let Some(session) = &self.session else { return vec!["there is no session".into()] };
        let waking = session.pending_messages().filter(|pending| pending.message.wakeup);
        let mut left: Vec<String> = waking.map(|pending| pending.message.id.to_string()).collect();
        left.extend(session.turn().map(|turn| format!("{turn:?}")));
        left.extend(session.continuations().iter().map(|continuation| format!("{continuation:?}")));
        left.extend(self.open_jobs().iter().map(ToString::to_string));
        left
    }
}
