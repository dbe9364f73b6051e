//! Committing: decide on exactly the state that the log has, append, and decide again when somebody was faster.

use std::sync::Arc;
use std::time::Duration;

use onward_core::{Ctx, Draft, DraftError, Input, Session};
use onward_event::{
    AppendId, AttemptId, Event, EventWriter, Handle, MessageId, Record, Seq, Timestamp, ToolStart,
};
use onward_port::{Append, Appended, Expect, LogError};

use super::ahead::Drafted;
use super::{Owner, OwnerError};
use crate::effects::Outcome;
use crate::live::LiveEvent;
use crate::records::load_records;

/// Whether what follows from an input by itself is decided with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Follow {
    /// As usual: also from what can be looked at right away.
    Ahead,
    /// From the state alone.
    Through,
    /// The process is about to end.
    Nothing,
}

impl Owner {
    /// Records what follows from an outcome. It is kept until it is committed or no longer applies, and nothing new
    /// starts meanwhile.
    pub(super) async fn commit(&mut self, outcome: Outcome) -> Result<(), OwnerError> {
        self.record(outcome, Follow::Ahead).await
    }

    /// As [`Owner::commit`], and lets nothing follow unless told to.
    pub(super) async fn record(
        &mut self,
        mut outcome: Outcome,
        mut follow: Follow,
    ) -> Result<(), OwnerError> {
        let id = AppendId(MessageId::from_bits(self.ports.ids.next()).to_string());
        let mut stalled = Duration::ZERO;
        // What may be in the log already is appended again as it was: another draft would have other ids, and be taken for
        // committed when this one is.
        let mut unsure: Option<Drafted> = None;
        self.take_over(&mut outcome);
        loop {
            let sure = unsure.is_none();
            let drafted = match unsure.take() {
                Some(drafted) => drafted,
                None => match self.decide(&outcome, &id, follow).await? {
                    Some(drafted) => drafted,
                    None => return Ok(()),
                },
            };
            let append = self.append_of(&drafted, &id);
            let synced = append.sync;
            self.reserve_executions(drafted.draft.events()).await;
            match self.ports.log.append(append).await {
                Ok(Appended::Committed { first, .. }) => {
                    self.committed(first, &id, &drafted.draft, synced);
                    if stalled > Duration::ZERO {
                        let head = self.session.head();
                        self.live.say(|| LiveEvent::Resumed(head));
                    }
                    return Ok(());
                }
                Ok(Appended::Conflict { missed }) => {
                    self.take_back(drafted);
                    self.fold(missed)?;
                }
                // What there is no room for together is tried by itself before anybody is told.
                Err(error) if sure && drafted.looked && is_certain(&error) && error.may_pass() => {
                    self.take_back(drafted);
                    follow = Follow::Through;
                }
                Err(error) => {
                    if sure && is_certain(&error) {
                        self.take_back(drafted);
                    } else {
                        unsure = Some(drafted);
                    }
                    // Whoever is told to end tries once, and is bounded in time.
                    let patience = if self.stop.is_cancelled() { Duration::ZERO } else { self.config.stall };
                    if !error.may_pass() || stalled >= patience {
                        unsure.into_iter().for_each(|drafted| self.take_back(drafted));
                        return Err(error.into());
                    }
                    self.live.say(|| LiveEvent::Stalled(error.to_string()));
                    tokio::select! {
                        biased;
                        () = self.stop.cancelled() => {}
                        () = tokio::time::sleep(self.config.stall_pause) => {}
                    }
                    stalled += self.config.stall_pause;
                }
            }
        }
    }

    fn committed(&mut self, first: Seq, id: &AppendId, draft: &Draft, synced: bool) {
        self.announce(first, id, draft);
        self.board.show(&self.session);
        self.note_answered(draft.events(), synced);
    }

    /// An execution has its place before its name is in the log. One that cannot be had is told when it is to begin.
    async fn reserve_executions(&self, events: &[Event]) {
        let Some(executor) = &self.ports.executor else { return };
        for event in events {
            if let Event::ToolStart(ToolStart { handle: Handle::Supervised { name, .. }, .. }) = event {
                let _ = executor.reserve(name).await;
            }
        }
    }

    /// Folds what others have appended.
    pub(super) async fn catch_up(&mut self) -> Result<(), OwnerError> {
        let missed = load_records(self.ports.log.as_ref(), self.id, self.session.head()).await?;
        self.fold(missed.into_iter().map(|(record, _)| record).collect())
    }

    fn fold(&mut self, missed: Vec<Record>) -> Result<(), OwnerError> {
        for record in &missed {
            if let Event::OwnerAcquired(acquired) = &record.event
                && acquired.epoch > self.epoch
            {
                let (session, ours, current) = (self.id, self.epoch, acquired.epoch);
                return Err(LogError::Fenced { session, ours, current }.into());
            }
            self.session.apply(record).map_err(|error| OwnerError::Fault(error.to_string()))?;
        }
        if !missed.is_empty() {
            self.board.show(&self.session);
            self.live.say(|| LiveEvent::Committed(Arc::new(missed)));
        }
        Ok(())
    }

    /// What an outcome brings about, with what can be looked at right away.
    async fn decide(
        &mut self,
        outcome: &Outcome,
        id: &AppendId,
        follow: Follow,
    ) -> Result<Option<Drafted>, OwnerError> {
        let Some(draft) = self.draft(&outcome.input, id, follow)? else { return Ok(None) };
        let drafted = Drafted::new(draft, outcome);
        match follow {
            Follow::Ahead => self.look_ahead(drafted, id).await.map(Some),
            Follow::Through | Follow::Nothing => Ok(Some(drafted)),
        }
    }

    /// Lets the core decide, with everything that it may know beside the state.
    pub(super) fn deciding<T>(
        &mut self,
        now: Timestamp,
        decide: impl FnOnce(&mut Session, &mut Ctx<'_>) -> T,
    ) -> T {
        let Self { session, ports, new_turns, .. } = self;
        let mut ctx = Ctx {
            now,
            policy: ports.policy.revision(),
            new_turns: *new_turns,
            ids: &mut || ports.ids.next(),
            redact: &|event| ports.redactor.event(event),
        };
        decide(session, &mut ctx)
    }

    fn draft(&mut self, input: &Input, id: &AppendId, follow: Follow) -> Result<Option<Draft>, OwnerError> {
        let now = self.ports.clock.now();
        let draft = self.deciding(now, |session, ctx| match follow {
            Follow::Ahead | Follow::Through => Draft::new(session, input, id, ctx),
            Follow::Nothing => Draft::only(session, input, id, ctx),
        });
        match draft {
            Ok(draft) if draft.events().is_empty() => Ok(None),
            Ok(draft) => Ok(Some(draft)),
            // Nothing is lost: what is still to be done is due again.
            Err(DraftError::Refused(_)) if follow == Follow::Nothing => Ok(None),
            Err(DraftError::Refused(_)) => self.follow_up(input, id),
            Err(DraftError::Illegal(error)) => Err(OwnerError::Fault(error.to_string())),
        }
    }

    /// An input that no longer applies may have been kept from a transition that the state calls for by itself.
    fn follow_up(&mut self, input: &Input, id: &AppendId) -> Result<Option<Draft>, OwnerError> {
        match input {
            Input::Advance => Ok(None),
            _ => {
                self.prefix = None;
                self.draft(&Input::Advance, id, Follow::Through)
            }
        }
    }

    fn append_of(&self, drafted: &Drafted, id: &AppendId) -> Append {
        let Drafted { draft, blobs, .. } = drafted;
        let events = draft.events().to_vec();
        let seq = Seq(self.session.head().0 - events.len() as u64);
        Append {
            session: self.id,
            expect: Expect::Head { seq, epoch: self.epoch },
            id: id.clone(),
            at: draft.at(),
            by: None,
            sync: events.iter().any(must_be_on_disk),
            ends_side: events.iter().filter_map(ended_scope).collect(),
            blobs: blobs.clone(),
            events,
        }
    }

    fn announce(&self, first: Seq, id: &AppendId, draft: &Draft) {
        self.live.say(|| {
            let records = draft.events().iter().zip(first.0..).map(|(event, seq)| Record {
                seq: Seq(seq),
                at: draft.at(),
                epoch: (event.writer() != EventWriter::Client).then_some(self.epoch),
                by: None,
                append: id.clone(),
                event: event.clone(),
            });
            LiveEvent::Committed(Arc::new(records.collect()))
        });
    }
}

/// Whether nothing of an append that failed like this is in the log.
fn is_certain(error: &LogError) -> bool {
    !matches!(error, LogError::Ambiguous(_) | LogError::Io(_))
}

/// What is followed by an act in the world, or by an answer to a person.
fn must_be_on_disk(event: &Event) -> bool {
    matches!(
        event,
        Event::AttemptStart(_) | Event::ToolStart(_) | Event::TurnEnd(_) | Event::ApprovalRequested(_)
    )
}

/// The side stream that this event's scope had: the event holds the whole.
fn ended_scope(event: &Event) -> Option<String> {
    match event {
        Event::AttemptEnd(end) => Some(attempt_scope(end.attempt)),
        _ => None,
    }
}

/// The side stream of an attempt.
pub(crate) fn attempt_scope(attempt: AttemptId) -> String {
    attempt.to_string()
}
