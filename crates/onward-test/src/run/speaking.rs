//! [`SpeakingLog`]: people speak at a certain moment. They are heard between the commit that they waited for and the
//! owner's next move, which is the moment that is hardest on the owner.

use std::sync::Arc;

use onward_event::{AppendId, Epoch, Event, Seq, SessionId, Timestamp};
use onward_port::{
    Append, Appended, BoxFuture, Create, Expect, Head, Log, LogError, SessionSummary, SideChunk, StoredRecord,
};

use super::person::Person;

/// A log that lets a person speak after each commit of the owner.
pub(super) struct SpeakingLog {
    inner: Arc<dyn Log>,
    person: Arc<Person>,
}

impl SpeakingLog {
    pub(super) fn new(inner: Arc<dyn Log>, person: Arc<Person>) -> Self {
        Self { inner, person }
    }

    async fn append_and_speak(&self, append: Append) -> Result<Appended, LogError> {
        let session = append.session;
        let by_owner = matches!(append.expect, Expect::Head { .. });
        let events = append.events.clone();
        let appended = self.inner.append(append).await?;
        if by_owner && matches!(appended, Appended::Committed { .. }) {
            self.person.hear(events.iter().map(Event::kind));
            self.person.speak(session).await?;
        }
        Ok(appended)
    }
}

impl Log for SpeakingLog {
    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        self.inner.create(create)
    }

    fn acquire(
        &self,
        session: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        Box::pin(async move {
            let epoch = self.inner.acquire(session, owner, id, at).await?;
            self.person.hear(["owner/acquired"]);
            self.person.speak(session).await?;
            Ok(epoch)
        })
    }

    fn release(
        &self,
        session: SessionId,
        epoch: Epoch,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        self.inner.release(session, epoch, id, at)
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        Box::pin(self.append_and_speak(append))
    }

    fn sync(&self, session: SessionId, seq: Seq) -> BoxFuture<'_, Result<(), LogError>> {
        self.inner.sync(session, seq)
    }

    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        self.inner.read(session, after, limit)
    }

    fn head(&self, session: SessionId) -> BoxFuture<'_, Result<Head, LogError>> {
        self.inner.head(session)
    }

    fn changed(&self, session: SessionId, after: Seq) -> BoxFuture<'_, ()> {
        self.inner.changed(session, after)
    }

    fn sessions(&self) -> BoxFuture<'_, Result<Vec<SessionSummary>, LogError>> {
        self.inner.sessions()
    }

    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        self.inner.put_side(session, scope, chunk)
    }

    fn side(
        &self,
        session: SessionId,
        scope: String,
        from: u64,
    ) -> BoxFuture<'_, Result<Vec<SideChunk>, LogError>> {
        self.inner.side(session, scope, from)
    }
}
