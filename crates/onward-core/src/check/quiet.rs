//! Whether a session is quiet: nothing in its log calls for anybody to go on.

use alloc::collections::BTreeSet;

use onward_event::{Event, InboxMessage, JobId, MessageId, Record, Seq, TurnId, TurnSource};

/// Follows what would make somebody act.
#[derive(Default)]
pub(super) struct Quiet {
    turns: BTreeSet<TurnId>,
    /// Continuations that no turn has carried on, blocked or not.
    continuations: BTreeSet<Seq>,
    /// Waking messages that no turn was started for, and that no request contained: they start one, or are given up.
    waiting: BTreeSet<MessageId>,
    /// Jobs that have not ended: somebody watches them, or finds out.
    jobs: BTreeSet<JobId>,
    /// Every message ever received: only the first record of an id counts.
    received: BTreeSet<MessageId>,
}

impl Quiet {
    pub(super) fn record(&mut self, record: &Record) {
        match &record.event {
            Event::InboxReceived(body) => self.receive(&body.message),
            Event::InboxCancelled(body) => {
                self.waiting.remove(&body.message);
            }
            Event::TurnStart(body) => {
                self.turns.insert(body.turn);
                match &body.source {
                    TurnSource::Messages(ids) => ids.iter().for_each(|id| self.forget(id)),
                    TurnSource::Continuation(seq) => {
                        self.continuations.remove(seq);
                    }
                }
            }
            Event::TurnEnd(body) => {
                self.turns.remove(&body.turn);
            }
            Event::RequestPrepared(body) => body.includes.iter().for_each(|id| self.forget(id)),
            Event::JobStarted(body) => {
                self.jobs.insert(body.job);
            }
            Event::JobPhase(body) if body.phase.is_end() => {
                self.jobs.remove(&body.job);
            }
            Event::RecoveryContinuation(_) => {
                self.continuations.insert(record.seq);
            }
            _ => {}
        }
    }

    /// Whether nothing is open and nothing waits. A message that started a turn does not wait once that turn is over:
    /// if it has no end by then, the rule on messages reports it.
    pub(super) fn is_quiet(&self) -> bool {
        self.turns.is_empty()
            && self.continuations.is_empty()
            && self.waiting.is_empty()
            && self.jobs.is_empty()
    }

    fn receive(&mut self, message: &InboxMessage) {
        if self.received.insert(message.id) && message.wakeup {
            self.waiting.insert(message.id);
        }
    }

    fn forget(&mut self, id: &MessageId) {
        self.waiting.remove(id);
    }
}
