//! Rule 5, for messages: a claimed source exists earlier and starts one turn, unless that turn ended *interrupted* and
//! its continuation reclaims the message.

use alloc::collections::BTreeMap;
use alloc::format;

use onward_event::{Event, InboxMessage, MessageId, Seq, TurnId, TurnSource, TurnStart};

use super::env::{CheckEnv, Checked};
use super::report::Findings;
use super::rule::Rule;

const RULE: u8 = 5;

#[derive(Default)]
pub(super) struct Sources {
    messages: BTreeMap<MessageId, Source>,
}

/// What is known of a message as a source.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    /// It does not wake.
    Silent,
    /// It may start a turn.
    Waking,
    /// It started this turn.
    Spent(TurnId),
    Included,
    Cancelled,
}

impl Rule for Sources {
    fn record(&mut self, seen: &Checked<'_>, _: &mut dyn CheckEnv, out: &mut Findings) {
        let at = seen.record.seq;
        match &seen.record.event {
            Event::InboxReceived(body) => self.receive(&body.message),
            Event::InboxCancelled(body) => self.settle(&body.message, Source::Cancelled),
            Event::RequestPrepared(body) => {
                body.includes.iter().for_each(|id| self.settle(id, Source::Included));
            }
            Event::TurnStart(body) => self.start(body, at, out),
            Event::RecoveryContinuation(body) => {
                body.reclaims.iter().for_each(|id| self.reclaim(*id, at, out));
            }
            _ => {}
        }
    }
}

impl Sources {
    /// The first record of an id counts.
    fn receive(&mut self, message: &InboxMessage) {
        let source = if message.wakeup { Source::Waking } else { Source::Silent };
        self.messages.entry(message.id).or_insert(source);
    }

    /// A message that was included stays so, whatever a client says later.
    fn settle(&mut self, id: &MessageId, end: Source) {
        if let Some(source) = self.messages.get_mut(id)
            && *source != Source::Included
        {
            *source = end;
        }
    }

    fn start(&mut self, body: &TurnStart, at: Seq, out: &mut Findings) {
        let TurnSource::Messages(ids) = &body.source else { return };
        if ids.is_empty() {
            out.violation(RULE, at, format!("{} starts without a source", body.turn));
        }
        for id in ids {
            self.claim(*id, body.turn, at, out);
        }
    }

    fn claim(&mut self, id: MessageId, turn: TurnId, at: Seq, out: &mut Findings) {
        let why = match self.messages.get(&id) {
            Some(Source::Waking) => None,
            None => Some("was never received".into()),
            Some(Source::Silent) => Some("does not start work".into()),
            Some(Source::Spent(other)) => Some(format!("started {other} already")),
            Some(Source::Included) => Some("a request contained already".into()),
            Some(Source::Cancelled) => Some("was cancelled".into()),
        };
        if let Some(why) = why {
            out.violation(RULE, at, format!("{turn} starts from {id}, which {why}"));
        }
        self.settle(&id, Source::Spent(turn));
    }

    fn reclaim(&mut self, id: MessageId, at: Seq, out: &mut Findings) {
        let why = match self.messages.get_mut(&id) {
            Some(source @ Source::Spent(_)) => {
                *source = Source::Waking;
                return;
            }
            // Claimed by a step of the interrupted turn, not by the turn itself.
            Some(Source::Waking | Source::Silent) => return,
            None => "was never received",
            Some(Source::Included) => "a request contained already",
            Some(Source::Cancelled) => "was cancelled",
        };
        out.violation(RULE, at, format!("the continuation reclaims {id}, which {why}"));
    }
}
