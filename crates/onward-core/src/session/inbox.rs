//! The inbox: which messages wait, which are claimed, and for how often (seed, section 7).

use onward_event::{InboxMessage, MessageId, Seq, StepId, Target};

use alloc::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::prelude::*;

/// After this many claims without reaching a request, a message is undeliverable.
pub(crate) const MAX_CLAIMS: u32 = 3;

/// A message that is neither included in a request nor cancelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// As it was received.
    pub message: InboxMessage,
    /// When it was received, in the order of the log.
    pub seq: Seq,
    /// The step that has claimed it; its claim ends with the step.
    pub reserved: Option<StepId>,
    /// Whether an open turn, or a continuation, was started for it.
    pub bound: bool,
    /// How often it was claimed.
    pub claims: u32,
}

/// The messages that are still on their way, in the order of the log.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Inbox {
    open: Vec<Message>,
    /// Every id that was ever received: the first record of an id wins, also when it has ended since.
    known: BTreeSet<MessageId>,
}

impl Inbox {
    pub(crate) fn messages(&self) -> impl Iterator<Item = &Message> {
        self.open.iter()
    }

    pub(crate) fn receive(&mut self, message: InboxMessage, seq: Seq) {
        if self.known.insert(message.id) {
            self.open.push(Message { message, seq, reserved: None, bound: false, claims: 0 });
        }
    }

    pub(crate) fn get(&self, id: MessageId) -> Option<&Message> {
        self.open.iter().find(|m| m.message.id == id)
    }

    pub(crate) fn get_mut(&mut self, id: MessageId) -> Option<&mut Message> {
        self.open.iter_mut().find(|m| m.message.id == id)
    }

    /// Takes a message out: it was included or cancelled.
    pub(crate) fn remove(&mut self, id: MessageId) -> Option<Message> {
        let at = self.open.iter().position(|m| m.message.id == id)?;
        Some(self.open.remove(at))
    }

    /// The claims of a step end; what it did not include waits again.
    pub(crate) fn release(&mut self, step: StepId) {
        for message in self.open.iter_mut().filter(|m| m.reserved == Some(step)) {
            message.reserved = None;
        }
    }

    /// What the next step of an open turn hands over, beside the turn's own messages.
    pub(crate) fn for_next_step(&self) -> impl Iterator<Item = MessageId> {
        self.free().filter(|m| m.message.target == Target::NextStep).map(|m| m.message.id)
    }

    /// The oldest message that starts a turn of its own.
    pub(crate) fn next_waking(&self) -> Option<MessageId> {
        self.free().find(|m| m.message.wakeup).map(|m| m.message.id)
    }

    /// How often a message was claimed, when that was too often.
    pub(crate) fn given_up_after(&self, id: MessageId) -> Option<u32> {
        self.get(id).map(|message| message.claims).filter(|claims| *claims >= MAX_CLAIMS)
    }

    /// Messages that were claimed too often.
    pub(crate) fn undeliverable(&self) -> Vec<MessageId> {
        self.open
            .iter()
            .filter(|m| m.reserved.is_none() && m.claims >= MAX_CLAIMS)
            .map(|m| m.message.id)
            .collect()
    }

    /// Neither reserved nor the source of a turn.
    fn free(&self) -> impl Iterator<Item = &Message> {
        self.open.iter().filter(|m| m.reserved.is_none() && !m.bound)
    }
}
