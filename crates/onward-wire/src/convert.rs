//! From the log to the stream.

use onward_event::{Digest, Event, Record};

use crate::*;

/// What every durable line starts with: its record's cursor, and when.
pub(crate) type Stamp = (Cursor, u64);

/// What clients are told about a record, given its hash: at most one line, so that a cursor never splits a record.
/// Nothing for what only the runtime needs (ownership, the bytes of requests), and for the first record of a log, which
/// the [`Session`] line stands for.
///
/// Each line follows from its record alone: a client that resumes at any cursor gets the same lines as one that never
/// left.
pub fn from_record(record: &Record, hash: &Digest) -> Option<WireEvent> {
    let stamp = (Cursor::new(record.seq, hash), record.at.0);
    // No wildcard: a new event does not compile here until somebody has decided what clients are told.
    Some(match &record.event {
        Event::SessionCreated(_)
        | Event::OwnerAcquired(_)
        | Event::OwnerReleased(_)
        | Event::RequestPrepared(_) => return None,
        Event::SessionConfigured(body) => WireEvent::Configured(Configured::new(stamp, &body.change)),
        Event::InterruptRequested(body) => {
            WireEvent::InterruptRequested(InterruptRequested::new(stamp, body))
        }
        Event::NoticeAdded(body) => WireEvent::Notice(Notice::new(stamp, body)),
        Event::InboxReceived(body) => WireEvent::Message(InputMessage::new(stamp, &body.message)),
        Event::InboxCancelled(body) => WireEvent::MessageCancelled(MessageCancelled::new(stamp, body)),
        Event::TurnStart(body) => WireEvent::TurnStarted(TurnStarted::new(stamp, body)),
        Event::TurnEnd(body) => WireEvent::TurnEnded(TurnEnded::new(stamp, body)),
        Event::StepStart(body) => WireEvent::StepStarted(StepStarted::new(stamp, body)),
        Event::StepEnd(body) => WireEvent::StepEnded(StepEnded::new(stamp, body)),
        Event::RecoveryContinuation(body) => WireEvent::Recovered(Recovered::new(stamp, body)),
        Event::DocumentLoaded(body) => WireEvent::DocumentLoaded(DocumentLoaded::new(stamp, body)),
        Event::AttemptStart(body) => WireEvent::AttemptStarted(AttemptStarted::new(stamp, body)),
        Event::AttemptEnd(body) => attempt::ended(stamp, body),
        Event::AssistantAccepted(body) => WireEvent::Assistant(Assistant::new(stamp, body)),
        Event::ToolCall(body) => WireEvent::ToolCall(ToolCall::new(stamp, body)),
        Event::PolicyDecided(body) => WireEvent::PolicyDecided(PolicyDecided::new(stamp, body)),
        Event::ApprovalRequested(body) => WireEvent::ApprovalRequested(ApprovalRequested::new(stamp, body)),
        Event::ApprovalResolved(body) => WireEvent::ApprovalResolved(ApprovalResolved::new(stamp, body)),
        Event::ToolStart(body) => WireEvent::ToolStarted(ToolStarted::new(stamp, body)),
        Event::ArtifactStored(body) => WireEvent::ArtifactStored(ArtifactStored::new(stamp, body)),
        Event::ToolResult(body) => WireEvent::ToolResult(ToolResult::new(stamp, body)),
        Event::ToolDenied(body) => WireEvent::ToolDenied(ToolDenied::new(stamp, body)),
        Event::ToolCancelled(body) => WireEvent::ToolCancelled(ToolCancelled::new(stamp, body)),
        Event::ToolOutcomeUnknown(body) => {
            WireEvent::ToolOutcomeUnknown(ToolOutcomeUnknown::new(stamp, body))
        }
        Event::ToolReconciled(body) => WireEvent::ToolReconciled(ToolReconciled::new(stamp, body)),
        Event::ReconciliationResolved(body) => WireEvent::ToolSettled(ToolSettled::new(stamp, body)),
        Event::BackgroundRequested(body) => {
            WireEvent::BackgroundRequested(BackgroundRequested::new(stamp, body))
        }
        Event::JobStarted(body) => WireEvent::JobStarted(JobStarted::new(stamp, body)),
        Event::JobPhase(body) => WireEvent::JobChanged(JobChanged::new(stamp, body)),
        Event::JobCancelRequested(body) => {
            WireEvent::JobCancelRequested(JobCancelRequested::new(stamp, body))
        }
        Event::Unknown(unknown) => WireEvent::RecordUnknown(RecordUnknown::new(stamp, unknown)),
    })
}
