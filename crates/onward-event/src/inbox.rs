//! The inbox: input is durable before it is acknowledged, and is claimed at a safe point (seed, section 7).

use crate::prelude::*;
use crate::{MessageId, Part};

/// When a message may be handed to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// With the next step of the turn that is open.
    NextStep,
    /// With the start of a turn of its own.
    NextTurn,
}

/// Where a message comes from; set by the runtime, never by the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person.
    User,
    /// A program that speaks for a person.
    Client,
    /// A job of this session, at its end.
    Job,
}

/// A message on its way to the model.
///
/// `next_step` with `wakeup` steers the turn that is running, `next_step` without it adds background,
/// `next_turn` with `wakeup` is the next piece of work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InboxMessage {
    /// Chosen by the sender, so that sending again is not saying twice.
    pub id: MessageId,
    /// What it says.
    pub content: Vec<Part>,
    /// When it may be delivered.
    pub target: Target,
    /// Whether it starts work by itself.
    pub wakeup: bool,
    /// Who sent it.
    pub origin: Origin,
}

/// `inbox/received`: the message is on disk; from here on it cannot be lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InboxReceived {
    /// The message.
    pub message: InboxMessage,
}

/// Why a message will not be delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum InboxCancelReason {
    /// Its sender took it back.
    BySender,
    /// The turn that it started was cancelled before the model saw it.
    WithTurn,
    /// It was claimed three times and never reached a request.
    Undeliverable,
}

/// `inbox/cancelled`: the message will not be delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InboxCancelled {
    /// Which.
    pub message: MessageId,
    /// Why.
    pub reason: InboxCancelReason,
}
