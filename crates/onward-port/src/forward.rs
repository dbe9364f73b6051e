//! Logs in front of other logs: whoever decorates one writes only the methods that do more.

use onward_event::{AppendId, Epoch, Seq, SessionId, Timestamp};

use crate::{
    Append, Appended, BoxFuture, Create, Head, Log, LogError, PutSnapshot, Release, Released, SessionSummary,
    SideChunk, Snapshot, StoredRecord,
};

/// A log that hands everything on to another one, but for the methods that its type writes itself. Whatever implements this
/// is a [`Log`], whose methods these are.
#[expect(missing_docs, reason = "each method is the one of the same name of `Log`")]
pub trait ForwardLog: Send + Sync {
    /// The other one.
    fn inner(&self) -> &dyn Log;

    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        self.inner().create(create)
    }

    fn acquire(
        &self,
        session: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        self.inner().acquire(session, owner, id, at)
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        self.inner().release(release)
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        self.inner().append(append)
    }

    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        self.inner().read(session, after, limit)
    }

    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        self.inner().put_side(session, scope, chunk)
    }
}

impl<T: ForwardLog> Log for T {
    fn create(&self, create: Create) -> BoxFuture<'_, Result<Head, LogError>> {
        ForwardLog::create(self, create)
    }

    fn acquire(
        &self,
        session: SessionId,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<Epoch, LogError>> {
        ForwardLog::acquire(self, session, owner, id, at)
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        ForwardLog::release(self, release)
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        ForwardLog::append(self, append)
    }

    fn read(
        &self,
        session: SessionId,
        after: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<StoredRecord>, LogError>> {
        ForwardLog::read(self, session, after, limit)
    }

    fn head(&self, session: SessionId) -> BoxFuture<'_, Result<Head, LogError>> {
        self.inner().head(session)
    }

    fn changed(&self, session: SessionId, after: Seq) -> BoxFuture<'_, ()> {
        self.inner().changed(session, after)
    }

    fn sessions(&self) -> BoxFuture<'_, Result<Vec<SessionSummary>, LogError>> {
        self.inner().sessions()
    }

    fn put_side(
        &self,
        session: SessionId,
        scope: String,
        chunk: SideChunk,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        ForwardLog::put_side(self, session, scope, chunk)
    }

    fn put_snapshot(&self, put: PutSnapshot) -> BoxFuture<'_, Result<(), LogError>> {
        self.inner().put_snapshot(put)
    }

    fn snapshot(
        &self,
        session: SessionId,
        version: u32,
    ) -> BoxFuture<'_, Result<Option<Snapshot>, LogError>> {
        self.inner().snapshot(session, version)
    }

    fn side(
        &self,
        session: SessionId,
        scope: String,
        from: u64,
    ) -> BoxFuture<'_, Result<Vec<SideChunk>, LogError>> {
        self.inner().side(session, scope, from)
    }
}
