//! Killing oneself right before or right after a chosen commit: a decorator of the log, which counts what the owner
//! commits and passes everything on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use onward_event::{AppendId, Epoch, SessionId, Timestamp};
use onward_port::{Append, Appended, BoxFuture, Expect, ForwardLog, Log, LogError, Release, Released};

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

impl ForwardLog for ArmedLog {
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
        Box::pin(self.commit(self.inner.acquire(session, owner, id, at), |_| true))
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        Box::pin(self.commit(self.inner.release(release), |released| *released == Released::Free))
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
}
