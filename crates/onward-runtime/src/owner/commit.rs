//! Committing: decide on exactly the state that the log has, append, and decide again when somebody was faster.

use std::sync::Arc;
use std::time::Duration;

use onward_core::{Ctx, Draft, DraftError, Input, Session};
use onward_event::{AppendId, Event, MessageId, Record, Timestamp};
use onward_port::{Appended, LogError};

use super::append::is_certain;
use super::coalesce::Drafted;
use super::{Owner, OwnerError};
use crate::effects::Outcome;
use crate::live::LiveEvent;
use crate::records::load_records;

/// How much is decided for one append.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// As usual: the input, all that follows from it, and the outcomes of effects that end at once.
    Coalesced,
    /// The input, and all that follows from it by itself.
    Chained,
    /// The input and nothing else: the process is about to end.
    Input,
}

impl Owner {
    /// Records what follows from an outcome. It is kept until it is committed or no longer applies, and nothing new
    /// starts meanwhile.
    pub(super) async fn commit(&mut self, outcome: Outcome) -> Result<(), OwnerError> {
        self.record(outcome, Extent::Coalesced).await
    }

    /// As [`Owner::commit`], and decides as much as it is told to.
    pub(super) async fn record(
        &mut self,
        mut outcome: Outcome,
        mut extent: Extent,
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
                None => match self.decide(&outcome, &id, extent).await? {
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
                Err(error) if sure && drafted.coalesced && is_certain(&error) && error.may_pass() => {
                    self.take_back(drafted);
                    extent = Extent::Chained;
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

    /// What an outcome brings about, to this extent.
    async fn decide(
        &mut self,
        outcome: &Outcome,
        id: &AppendId,
        extent: Extent,
    ) -> Result<Option<Drafted>, OwnerError> {
        let Some(draft) = self.draft(&outcome.input, id, extent)? else { return Ok(None) };
        let drafted = Drafted::new(draft, outcome);
        match extent {
            Extent::Coalesced => self.coalesce(drafted, id).await.map(Some),
            Extent::Chained | Extent::Input => Ok(Some(drafted)),
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

    fn draft(&mut self, input: &Input, id: &AppendId, extent: Extent) -> Result<Option<Draft>, OwnerError> {
        let now = self.ports.clock.now();
        let draft = self.deciding(now, |session, ctx| match extent {
            Extent::Coalesced | Extent::Chained => Draft::new(session, input, id, ctx),
            Extent::Input => Draft::only(session, input, id, ctx),
        });
        match draft {
            Ok(draft) if draft.events().is_empty() => Ok(None),
            Ok(draft) => Ok(Some(draft)),
            // Nothing is lost: what is still to be done is due again.
            Err(DraftError::Refused(_)) if extent == Extent::Input => Ok(None),
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
                self.draft(&Input::Advance, id, Extent::Chained)
            }
        }
    }
}
