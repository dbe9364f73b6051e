//! The fold: one record after the other, one match on the event, and a typed error for every owner's event that does
//! not fit the state.

use onward_event::{Event, EventWriter, Record, Seq, SessionCreated, Usage};

use super::history::Tail;
use super::{Approvals, History, Inbox, Jobs, Session, State};
use crate::IllegalEvent;
use crate::prelude::*;
use crate::shared::Shared;

mod attempt;
mod call;
mod job;
mod session;
mod turn;

/// What an event's handler says: the record's place is added by the caller.
pub(super) type Fits = Result<(), String>;

pub(crate) fn illegal(record: &Record, why: impl Into<String>) -> IllegalEvent {
    IllegalEvent { seq: record.seq, kind: record.event.kind().into(), why: why.into() }
}

pub(super) fn create(record: &Record) -> Result<Session, IllegalEvent> {
    let Event::SessionCreated(created) = &record.event else {
        return Err(illegal(record, "a log starts with session/created"));
    };
    if record.seq != Seq(1) {
        return Err(illegal(record, "the first record has number 1"));
    }
    let SessionCreated { session, spec, workspace } = created.clone();
    Ok(Session {
        state: State {
            id: session,
            workspace: Shared::new(workspace),
            spec: Shared::new(spec),
            config: 1,
            head: record.seq,
            at: record.at,
            epoch: Default::default(),
            owned: false,
            inbox: Inbox::default(),
            turn: None,
            runs: BTreeMap::new(),
            continuations: Vec::new(),
            unknown: BTreeMap::new(),
            approvals: Approvals::default(),
            untold: Vec::new(),
            jobs: Jobs::default(),
            documents: Shared::default(),
            artifacts: Shared::default(),
            usage: Usage::NONE,
            last_end: None,
            tail: Tail::default(),
        },
        history: History::default(),
    })
}

pub(super) fn apply(session: &mut Session, record: &Record) -> Result<(), IllegalEvent> {
    if record.seq != session.state.head.next() {
        let why = format!(
            "it follows record {}, so its number should be {}",
            session.head(),
            session.head().next()
        );
        return Err(illegal(record, why));
    }
    check_writer(session, record).map_err(|why| illegal(record, why))?;
    session.count_time(record);
    session.fold(record).map_err(|why| illegal(record, why))?;
    session.state.head = record.seq;
    session.state.at = record.at;
    Ok(())
}

/// Owner records carry the latest epoch, client records none.
fn check_writer(session: &Session, record: &Record) -> Fits {
    match (record.event.writer(), record.epoch) {
        (EventWriter::Owner, None) => Err("only an owner may write it, and it carries no epoch".into()),
        (EventWriter::Client, Some(_)) => Err("only a client may write it, and it carries an epoch".into()),
        (_, Some(epoch)) => {
            let acquiring = matches!(record.event, Event::OwnerAcquired(_));
            let expected = if acquiring { epoch > session.epoch() } else { epoch == session.epoch() };
            if expected { Ok(()) } else { Err(format!("epoch {} is not the owner's", epoch.0)) }
        }
        (_, None) => Ok(()),
    }
}

impl Session {
    /// Every event has its line here.
    fn fold(&mut self, record: &Record) -> Fits {
        let seq = record.seq;
        match &record.event {
            Event::SessionCreated(_) => Err("a session is created once".into()),
            Event::SessionConfigured(event) => self.configured(seq, event),
            Event::OwnerAcquired(event) => self.acquired(event),
            Event::OwnerReleased(_) => self.released(),
            Event::InterruptRequested(event) => self.interrupt_requested(seq, event),
            Event::NoticeAdded(event) => self.notice_added(event),
            Event::InboxReceived(event) => self.inbox_received(seq, event),
            Event::InboxCancelled(event) => self.inbox_cancelled(event),
            Event::TurnStart(event) => self.turn_start(event),
            Event::TurnEnd(event) => self.turn_end(seq, event),
            Event::StepStart(event) => self.step_start(seq, event),
            Event::StepEnd(event) => self.step_end(event),
            Event::RecoveryContinuation(event) => self.continuation(seq, event),
            Event::DocumentLoaded(event) => self.document_loaded(event),
            Event::RequestPrepared(event) => self.request_prepared(seq, event),
            Event::AttemptStart(event) => self.attempt_start(seq, event),
            Event::AttemptEnd(event) => self.attempt_end(record.at, event),
            Event::AssistantAccepted(event) => self.assistant_accepted(event),
            Event::ToolCall(event) => self.tool_call(seq, event),
            Event::PolicyDecided(event) => self.policy_decided(event),
            Event::ApprovalRequested(event) => self.approval_requested(seq, event),
            Event::ApprovalResolved(event) => self.approval_resolved(record, event),
            Event::ToolStart(event) => self.tool_start(record, event),
            Event::ArtifactStored(event) => self.artifact_stored(event),
            Event::ToolResult(event) => self.tool_result(seq, event),
            Event::ToolDenied(event) => self.tool_denied(seq, event),
            Event::ToolCancelled(event) => self.tool_cancelled(seq, event),
            Event::ToolOutcomeUnknown(event) => self.tool_outcome_unknown(seq, event),
            Event::ToolReconciled(event) => self.tool_reconciled(seq, event),
            Event::ReconciliationResolved(event) => self.reconciliation_resolved(seq, event),
            Event::BackgroundRequested(event) => self.background_requested(event),
            Event::JobStarted(event) => self.job_started(record, event),
            Event::JobPhase(event) => self.job_phase(record, event),
            Event::JobCancelRequested(event) => self.job_cancel_requested(seq, event),
            Event::Unknown(event) => Err(format!(
                "this version does not know it (version {}): it may show the session, not work on it; use a newer onward",
                event.version
            )),
        }
    }

    /// Active time: a turn is open, its owner lives, and it does not only wait for a person.
    fn count_time(&mut self, record: &Record) {
        if !self.state.owned || matches!(record.event, Event::OwnerAcquired(_)) || self.waits_for_person() {
            return;
        }
        let elapsed = record.at.millis_since(self.state.at);
        if let Some(turn) = &self.state.turn
            && let Some(run) = self.state.runs.get_mut(&turn.run)
        {
            run.active_millis = run.active_millis.saturating_add(elapsed);
        }
    }

    fn waits_for_person(&self) -> bool {
        let calls = self.step().map_or(&[][..], |step| step.calls());
        let mut open = calls.iter().filter(|call| !call.is_answered()).peekable();
        open.peek().is_some()
            && open.all(|call| {
                matches!(call.phase, super::CallPhase::AwaitingApproval { .. } | super::CallPhase::Proposed)
            })
            && calls.iter().any(|call| matches!(call.phase, super::CallPhase::AwaitingApproval { .. }))
    }

    pub(super) fn open_turn(&mut self) -> Result<&mut super::Turn, String> {
        self.state.turn.as_mut().ok_or_else(|| "no turn is open".into())
    }

    pub(super) fn open_step(&mut self) -> Result<&mut super::Step, String> {
        self.open_turn()?.step.as_mut().ok_or_else(|| "no step is open".into())
    }

    pub(super) fn open_run(&mut self) -> Result<&mut super::Run, String> {
        let id = self.open_turn()?.run;
        self.state.runs.get_mut(&id).ok_or_else(|| "its run is not open".into())
    }
}

/// The shortest way to say no.
pub(super) fn refuse<T>(why: &str) -> Result<T, String> {
    Err(why.into())
}
