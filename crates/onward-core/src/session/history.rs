//! The model-visible history: what every prepared request is made of (seed, section 12).
//!
//! It grows at three places only: a step's accepted output and the answers to its calls, in the order in which the
//! model made them, when the step ends; notices and claimed messages when a request is prepared. So the messages of
//! one request are always a prefix of the next one's, until a checkpoint replaces them.

use onward_event::{AcceptedPart, AssistantCall, InboxMessage, Message, Origin, text_of};

use serde::{Deserialize, Serialize};

use super::{Call, CallPhase, Session};
use crate::prelude::*;

/// Version of the projection from log to messages, recorded with every request.
pub const ASSEMBLER_VERSION: u32 = 1;

/// The messages so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    messages: Vec<Message>,
}

/// What is on its way into the history.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tail {
    /// Notices since the last request.
    pub(crate) notices: Vec<String>,
    /// The accepted output of the open step.
    pub(crate) output: Vec<AcceptedPart>,
    /// Messages that the last prepared request had.
    pub(crate) requested: usize,
}

impl History {
    /// The messages of a snapshot. The first piece, which is the largest or the only one, is not copied.
    pub(crate) fn from_pieces(pieces: impl Iterator<Item = Vec<Message>>) -> Self {
        let messages = pieces.reduce(|mut all, piece| {
            all.extend(piece);
            all
        });
        Self { messages: messages.unwrap_or_default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.messages.truncate(len);
    }

    pub(crate) fn push(&mut self, message: Message) {
        self.messages.push(message);
    }

    /// A step ended with an accepted output: the output, then the answers in the order of the calls.
    pub(crate) fn close_step(&mut self, output: Vec<AcceptedPart>, calls: &[Call]) {
        let asked = calls.iter().map(|call| AssistantCall {
            id: call.proposal.provider_id.clone(),
            name: call.proposal.name.clone(),
            input: call.proposal.input.clone(),
        });
        self.push(Message::Assistant { content: output, calls: asked.collect() });
        for call in calls {
            if let CallPhase::Answered(answer) = &call.phase {
                self.push(Message::Tool {
                    id: call.proposal.provider_id.clone(),
                    name: call.proposal.name.clone(),
                    status: answer.status,
                    content: answer.content.clone(),
                });
            }
        }
    }
}

/// A message as the model sees it: the end of a job is told in the runtime's own words.
fn said(message: &InboxMessage) -> Message {
    match message.origin {
        Origin::User | Origin::Client => Message::User(message.content.clone()),
        Origin::Job => Message::Notice(text_of(&message.content)),
    }
}

impl Session {
    /// The messages that earlier requests contained, and the closed steps since.
    pub fn history(&self) -> &[Message] {
        &self.history.messages
    }

    /// What the next request adds to [`Session::history`]: notices, then the claimed messages of the open step.
    pub fn additions(&self) -> Vec<Message> {
        let notices = self.state.tail.notices.iter().cloned().map(Message::Notice);
        notices.chain(self.claimed().map(|m| said(&m.message))).collect()
    }

    /// How many messages the last prepared request had: those keep their bytes in the next one.
    pub fn requested(&self) -> usize {
        self.state.tail.requested
    }

    /// The open step's claimed messages that no request has contained yet.
    pub(crate) fn claimed(&self) -> impl Iterator<Item = &super::Message> {
        let claims: &[_] = self.step().map_or(&[], |step| &step.claims);
        claims.iter().filter_map(|id| self.state.inbox.get(*id))
    }

    /// A request was prepared: what it added is history now.
    pub(crate) fn commit_additions(&mut self) {
        for message in self.additions() {
            self.history.push(message);
        }
        self.state.tail.notices.clear();
        self.state.tail.requested = self.history.len();
    }
}
