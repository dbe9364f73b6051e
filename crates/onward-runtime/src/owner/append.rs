//! From a draft to the append that records it, and what the runtime does when that is in the log.

use std::sync::Arc;

use onward_core::Draft;
use onward_event::{AppendId, AttemptId, Event, EventWriter, Handle, Record, Seq, ToolStart};
use onward_port::{Append, Expect, LogError};

use super::Owner;
use super::coalesce::Drafted;
use crate::live::LiveEvent;

impl Owner {
    /// The session stands where the draft ends.
    pub(super) fn append_of(&self, drafted: &Drafted, id: &AppendId) -> Append {
        let Drafted { draft, blobs, .. } = drafted;
        let events = draft.events().to_vec();
        let seq = Seq(self.session.head().0 - events.len() as u64);
        Append {
            session: self.id,
            expect: Expect::Head { seq, epoch: self.epoch },
            id: id.clone(),
            at: draft.at(),
            by: None,
            sync: events.iter().any(must_be_on_disk),
            ends_side: events.iter().filter_map(ended_scope).collect(),
            blobs: blobs.clone(),
            events,
        }
    }

    /// An execution has its place before its name is in the log. One that cannot be had is told when it is to begin.
    pub(super) async fn reserve_executions(&self, events: &[Event]) {
        let Some(executor) = &self.ports.executor else { return };
        for event in events {
            if let Event::ToolStart(ToolStart { handle: Handle::Supervised { name, .. }, .. }) = event {
                let _ = executor.reserve(name).await;
            }
        }
    }

    /// Tells everybody who looks at the session what is in its log now.
    pub(super) fn committed(&mut self, first: Seq, id: &AppendId, draft: &Draft, synced: bool) {
        self.announce(first, id, draft);
        self.board.show(&self.session);
        self.note_answered(draft.events(), synced);
    }

    fn announce(&self, first: Seq, id: &AppendId, draft: &Draft) {
        self.live.say(|| {
            let records = draft.events().iter().zip(first.0..).map(|(event, seq)| Record {
                seq: Seq(seq),
                at: draft.at(),
                epoch: (event.writer() != EventWriter::Client).then_some(self.epoch),
                by: None,
                append: id.clone(),
                event: event.clone(),
            });
            LiveEvent::Committed(Arc::new(records.collect()))
        });
    }
}

/// Whether nothing of an append that failed like this is in the log.
pub(super) fn is_certain(error: &LogError) -> bool {
    !matches!(error, LogError::Ambiguous(_) | LogError::Io(_))
}

/// What is followed by an act in the world, or by an answer to a person.
fn must_be_on_disk(event: &Event) -> bool {
    matches!(
        event,
        Event::AttemptStart(_) | Event::ToolStart(_) | Event::TurnEnd(_) | Event::ApprovalRequested(_)
    )
}

/// The side stream that this event's scope had: the event holds the whole.
fn ended_scope(event: &Event) -> Option<String> {
    match event {
        Event::AttemptEnd(end) => Some(attempt_scope(end.attempt)),
        _ => None,
    }
}

/// The side stream of an attempt.
pub(crate) fn attempt_scope(attempt: AttemptId) -> String {
    attempt.to_string()
}
