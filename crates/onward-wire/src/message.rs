//! What is said to the model from outside, and by the runtime.

use onward_event::{MessageId, NoticeAdded, text_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::convert::Stamp;
use crate::{CancelReason, Cursor, NoticeReason, Origin, Target};

/// Input is on disk: from here on it cannot be lost. `turn.started` and `step.started` say when it is taken up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct InputMessage {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The message.
    pub message: MessageId,
    /// Its words.
    pub text: String,
    /// When it is handed to the model.
    pub target: Target,
    /// Whether it starts work by itself.
    pub wakeup: bool,
    /// Who sent it.
    pub origin: Origin,
}

/// A message will not be delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MessageCancelled {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// Which.
    pub message: MessageId,
    /// Why.
    pub reason: CancelReason,
}

/// Words of the runtime that the model sees with its next request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Notice {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// Why.
    pub reason: NoticeReason,
    /// The words.
    pub text: String,
}

impl InputMessage {
    pub(crate) fn new((cursor, at): Stamp, message: &onward_event::InboxMessage) -> Self {
        Self {
            cursor,
            at,
            message: message.id,
            text: text_of(&message.content),
            target: message.target.into(),
            wakeup: message.wakeup,
            origin: message.origin.into(),
        }
    }
}

impl Notice {
    pub(crate) fn new((cursor, at): Stamp, notice: &NoticeAdded) -> Self {
        Self { cursor, at, reason: notice.reason.into(), text: notice.text.clone() }
    }
}

impl MessageCancelled {
    pub(crate) fn new((cursor, at): Stamp, body: &onward_event::InboxCancelled) -> Self {
        Self { cursor, at, message: body.message, reason: body.reason.into() }
    }
}
