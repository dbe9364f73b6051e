//! [`SpeakingLog`]: people speak at a certain moment. They are heard between the commit that they waited for and the
//! owner's next move, which is the moment that is hardest on the owner.

use std::sync::Arc;

use onward_event::{AppendId, Epoch, Event, SessionId, Timestamp};
use onward_port::{Append, Appended, BoxFuture, Expect, ForwardLog, Log, LogError, Release, Released};

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

impl ForwardLog for SpeakingLog {
    fn inner(&self) -> &dyn Log {
        self.inner.as_ref()
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

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        Box::pin(async move {
            let session = release.session;
            self.person.hear(["release"]);
            self.person.speak(session).await?;
            self.inner.release(release).await
        })
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        Box::pin(self.append_and_speak(append))
    }
}
