//! The log as everybody in this process writes to it: no record and no content holds a configured secret.

use std::sync::Arc;

use onward_event::{Event, SessionId};
use onward_port::{
    Append, Appended, BoxFuture, Create, Expect, ForwardLog, Head, Log, LogError, Redactor, SideChunk,
};

/// A log behind a redactor.
pub struct RedactedLog {
    inner: Arc<dyn Log>,
    redactor: Redactor,
}

impl RedactedLog {
    /// Everything that is written to `inner` passes the redactor first.
    pub fn new(inner: Arc<dyn Log>, redactor: Redactor) -> Self {
        Self { inner, redactor }
    }

    /// A client's events are redacted: whoever folds them has not seen them otherwise. An owner has already folded
    /// what it appends, so its events must come redacted, and content its hash; what does not is refused.
    fn clean(&self, mut append: Append) -> Result<Append, LogError> {
        if let Some(blob) = append.blobs.iter().find(|blob| self.redactor.finds(&blob.bytes)) {
            return Err(LogError::HoldsSecret(format!("the content {}", blob.hash.short())));
        }
        let events = append.events.iter().map(|event| self.redactor.event(event.clone()));
        let events: Vec<Event> = events.collect();
        let changed = events.iter().zip(&append.events).find(|(clean, given)| clean != given);
        if let (Expect::Head { .. }, Some((event, _))) = (append.expect, changed) {
            return Err(LogError::HoldsSecret(format!("a {} record", event.kind())));
        }
        append.events = events;
        Ok(append)
    }

    fn clean_session(&self, mut create: Create) -> Create {
        // An event stays of its kind.
        if let Event::SessionCreated(created) = self.redactor.event(create.created.clone().into()) {
            create.created = created;
        }
        create.events = create.events.into_iter().map(|event| self.redactor.event(event)).collect();
        create
    }
}

impl ForwardLog for RedactedLog {
    fn inner(&self) -> &dyn Log {
        self.inner.as_ref()
    }

    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        self.inner.create(if self.redactor.is_empty() { create } else { self.clean_session(create) })
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        if self.redactor.is_empty() {
            return self.inner.append(append);
        }
        match self.clean(append) {
            Ok(append) => self.inner.append(append),
            Err(error) => Box::pin(std::future::ready(Err(error))),
        }
    }

    /// Its pieces come redacted from the stream of their reply; each is searched once more by itself.
    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        let chunk = SideChunk { text: self.redactor.string(chunk.text), ..chunk };
        self.inner.put_side(session, scope, chunk)
    }
}
