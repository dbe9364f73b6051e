//! [`CrashingLog`]: the process may die right after an append of the owner was committed.

use std::sync::Arc;

use onward_event::{AppendId, CallId, Epoch, Event, Record, Seq, SessionId, Timestamp};
use onward_port::{
    Append, Appended, BoxFuture, Create, Expect, Head, Log, LogError, SessionSummary, SideChunk, StoredRecord,
};

use super::{PointKind, Points};

/// A log that passes a point after every commit of the owner: its appends, taking the session and giving it back.
pub struct CrashingLog {
    inner: Arc<dyn Log>,
    points: Arc<Points>,
}

impl CrashingLog {
    /// Decorates a log.
    pub fn new(inner: Arc<dyn Log>, points: Arc<Points>) -> Self {
        Self { inner, points }
    }

    async fn append_and_pass(&self, append: Append) -> Result<Appended, LogError> {
        let (session, by_owner) = (append.session, matches!(append.expect, Expect::Head { .. }));
        let started = append.events.iter().find_map(|event| match event {
            Event::ToolStart(start) => Some(start.call),
            _ => None,
        });
        let kinds = append.events.iter().map(Event::kind).collect::<Vec<_>>().join(" ");
        let appended = self.inner.append(append).await?;
        if by_owner && matches!(appended, Appended::Committed { .. }) {
            match started {
                Some(call) => {
                    self.points.pass(PointKind::CommitStart, &self.tool_of(session, call).await?).await;
                }
                None => self.points.pass(PointKind::Commit, &kinds).await,
            }
        }
        Ok(appended)
    }

    /// The tool of a call: the log says it, in whichever life the call was proposed.
    async fn tool_of(&self, session: SessionId, call: CallId) -> Result<String, LogError> {
        let records = self.inner.read(session, Seq(0), usize::MAX).await?;
        let name = records.iter().find_map(|stored| match Record::from_bytes(&stored.bytes).ok()?.event {
            Event::ToolCall(proposed) if proposed.call == call => Some(proposed.name),
            _ => None,
        });
        name.ok_or_else(|| LogError::Io(format!("{call} was started and never proposed")))
    }
}

impl Log for CrashingLog {
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
            self.points.pass(PointKind::Commit, "owner/acquired").await;
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
        Box::pin(async move {
            self.inner.release(session, epoch, id, at).await?;
            self.points.pass(PointKind::Commit, "owner/released").await;
            Ok(())
        })
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        Box::pin(self.append_and_pass(append))
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
