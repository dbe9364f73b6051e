//! Whether a session is quiet: nothing in its log calls for anybody to go on.

use alloc::collections::{BTreeMap, BTreeSet};

use onward_event::{Event, InboxMessage, MessageId, Record, Seq, TurnId, TurnSource};

/// Claims after which a message is given up.
const MAX_CLAIMS: u32 = 3;

/// Follows what would make somebody act.
#[derive(Default)]
pub(super) struct Quiet {
    turns: BTreeSet<TurnId>,
    /// Continuations that no turn has carried on, blocked or not.
    continuations: BTreeSet<Seq>,
    /// Waking messages that can still start a turn, with how often a step has claimed them.
    waiting: BTreeMap<MessageId, u32>,
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
            Event::StepStart(body) => body.claims.iter().for_each(|id| self.claim(id)),
            Event::RequestPrepared(body) => body.includes.iter().for_each(|id| self.forget(id)),
            Event::RecoveryContinuation(_) => {
                self.continuations.insert(record.seq);
            }
            _ => {}
        }
    }

    /// Whether nothing is open and nothing waits. A message that was given up without a word does not wait: that it
    /// has no end is for the rule on messages to report.
    pub(super) fn is_quiet(&self) -> bool {
        let waits = self.waiting.values().any(|claims| *claims < MAX_CLAIMS);
        self.turns.is_empty() && self.continuations.is_empty() && !waits
    }

    fn receive(&mut self, message: &InboxMessage) {
        if self.received.insert(message.id) && message.wakeup {
            self.waiting.insert(message.id, 0);
        }
    }

    fn claim(&mut self, id: &MessageId) {
        if let Some(claims) = self.waiting.get_mut(id) {
            *claims = claims.saturating_add(1);
        }
    }

    fn forget(&mut self, id: &MessageId) {
        self.waiting.remove(id);
    }
}
