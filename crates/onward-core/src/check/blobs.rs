//! Which stored content an event names.

use alloc::vec::Vec;

use onward_event::{Digest, Event, Part};

/// The content that an event names, each with what it is to the reader of a report.
///
/// A document's hash is not among them: it identifies a text that is stored inside the request's head.
pub fn blobs_of(event: &Event) -> Vec<(Digest, &'static str)> {
    match event {
        Event::InboxReceived(body) => of_parts(&body.message.content, "a part of the message"),
        Event::ToolResult(body) => of_parts(&body.content, "a part of the result"),
        Event::RequestPrepared(body) => alloc::vec![(body.manifest.head, "the head of the request")],
        Event::ArtifactStored(body) => alloc::vec![(body.hash, "the artifact")],
        _ => Vec::new(),
    }
}

fn of_parts(content: &[Part], what: &'static str) -> Vec<(Digest, &'static str)> {
    let hash = |part: &Part| match part {
        Part::Blob { hash, .. } => Some((*hash, what)),
        Part::Text(_) | Part::Reference(_) | Part::SecretRef(_) => None,
    };
    content.iter().filter_map(hash).collect()
}
