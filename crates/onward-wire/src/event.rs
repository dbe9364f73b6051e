//! Every line of the stream, as one enum: the types' names, and what all lines have in common.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::terminal::escaped;
use crate::*;

macro_rules! lines {
    (durable { $($type:literal $variant:ident($body:ident),)* } live { $($live_type:literal $live:ident($live_body:ident),)* }) => {
        /// One line of the stream. Durable lines carry the cursor of their record, live ones do not.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "type")]
        #[expect(missing_docs, reason = "the types of the bodies carry the documentation")]
        pub enum WireEvent {
            $(#[serde(rename = $type)] $variant($body),)*
            $(#[serde(rename = $live_type)] $live($live_body),)*
        }

        impl WireEvent {
            /// The `type` of every line of this version: those made from the log first, the live ones last.
            pub const TYPES: &'static [&'static str] = &[$($type,)* $($live_type,)*];

            /// The line's `type`.
            pub fn type_name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $type,)*
                    $(Self::$live(_) => $live_type,)*
                }
            }

            /// What to resume after; none for a live line.
            pub fn cursor(&self) -> Option<Cursor> {
                match self {
                    $(Self::$variant(body) => Some(body.cursor),)*
                    $(Self::$live(_) => None,)*
                }
            }
        }
    };
}

lines! {
    durable {
        "session.configured" Configured(Configured),
        "interrupt.requested" InterruptRequested(InterruptRequested),
        "message" Message(InputMessage),
        "message.cancelled" MessageCancelled(MessageCancelled),
        "notice" Notice(Notice),
        "document.loaded" DocumentLoaded(DocumentLoaded),
        "turn.started" TurnStarted(TurnStarted),
        "turn.ended" TurnEnded(TurnEnded),
        "step.started" StepStarted(StepStarted),
        "step.ended" StepEnded(StepEnded),
        "recovered" Recovered(Recovered),
        "attempt.started" AttemptStarted(AttemptStarted),
        "attempt.accepted" AttemptAccepted(AttemptAccepted),
        "attempt.rejected" AttemptRejected(AttemptRejected),
        "attempt.failed" AttemptFailed(AttemptFailed),
        "attempt.stopped" AttemptStopped(AttemptStopped),
        "assistant" Assistant(Assistant),
        "tool.call" ToolCall(ToolCall),
        "policy.decided" PolicyDecided(PolicyDecided),
        "approval.requested" ApprovalRequested(ApprovalRequested),
        "approval.resolved" ApprovalResolved(ApprovalResolved),
        "tool.started" ToolStarted(ToolStarted),
        "artifact.stored" ArtifactStored(ArtifactStored),
        "tool.result" ToolResult(ToolResult),
        "tool.denied" ToolDenied(ToolDenied),
        "tool.cancelled" ToolCancelled(ToolCancelled),
        "tool.outcome_unknown" ToolOutcomeUnknown(ToolOutcomeUnknown),
        "tool.reconciled" ToolReconciled(ToolReconciled),
        "tool.settled" ToolSettled(ToolSettled),
        "tool.background_requested" BackgroundRequested(BackgroundRequested),
        "job.started" JobStarted(JobStarted),
        "job.phase" JobChanged(JobChanged),
        "job.cancel_requested" JobCancelRequested(JobCancelRequested),
        "record.unknown" RecordUnknown(RecordUnknown),
    }
    live {
        "session" Session(Session),
        "text.delta" TextDelta(Delta),
        "reasoning.delta" ReasoningDelta(Delta),
        "waiting" Waiting(Waiting),
        "result" Result(Outcome),
        "error" Error(Failure),
    }
}

impl WireEvent {
    /// The line, without its line feed: `type` first, and nothing inside that any reader takes for the end of a line or
    /// any terminal for a command. JSON itself escapes only some of those.
    ///
    /// # Errors
    /// Never for events of this crate's types; the signature follows `serde_json`.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        Ok(escaped(&serde_json::to_string(self)?))
    }
}
