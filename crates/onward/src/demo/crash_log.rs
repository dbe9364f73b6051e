//! Killing oneself right before or right after a chosen commit: a decorator of the log, which counts what the owner
//! commits and passes everything on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use onward_event::{AppendId, Epoch, Seq, SessionId, Timestamp};
use onward_port::{
    Append, Appended, BoxFuture, Create, Expect, Head, Log, LogError, SessionSummary, SideChunk, StoredRecord,
};

use super::crash::{Kill, kill_this_process};

/// A log that kills its process at one of the owner's commits: taking the session, an append, giving it back.
pub(super) struct ArmedLog {
    inner: Arc<dyn Log>,
    kill: Kill,
    committed: AtomicU32,
}

impl ArmedLog {
    pub(super) fn new(inner: Arc<dyn Log>, kill: Kill) -> Self {
        Self { inner, kill, committed: AtomicU32::new(0) }
    }

    /// Lets the owner commit, unless the process is to die before or after it. A conflict commits nothing and is not
    /// counted.
    async fn commit<T>(
        &self,
        work: BoxFuture<'_, Result<T, LogError>>,
        is_committed: fn(&T) -> bool,
    ) -> Result<T, LogError> {
        if self.kill == Kill::BeforeCommit(self.committed.load(Ordering::SeqCst) + 1) {
            kill_this_process();
        }
        let done = work.await?;
        if is_committed(&done) {
            let nth = self.committed.fetch_add(1, Ordering::SeqCst) + 1;
            if self.kill == Kill::AfterCommit(nth) {
                kill_this_process();
            }
        }
        Ok(done)
    }
}

impl Log for ArmedLog {
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
        Box::pin(self.commit(self.inner.acquire(session, owner, id, at), |_| true))
    }

    fn release(
        &self,
        session: SessionId,
        epoch: Epoch,
        id: AppendId,
        at: Timestamp,
    ) -> BoxFuture<'_, Result<(), LogError>> {
        Box::pin(self.commit(self.inner.release(session, epoch, id, at), |()| true))
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        match append.expect {
            Expect::Any => self.inner.append(append),
            Expect::Head { .. } => {
                let is_committed = |done: &Appended| matches!(done, Appended::Committed { .. });
                Box::pin(self.commit(self.inner.append(append), is_committed))
            }
        }
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
