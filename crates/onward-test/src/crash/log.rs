//! [`CrashingLog`]: the process may die right after an append of the owner was committed.

use std::sync::Arc;

use onward_event::{AppendId, CallId, Epoch, Event, Record, Seq, SessionId, Timestamp};
use onward_port::{Append, Appended, BoxFuture, Expect, ForwardLog, Log, LogError, Release, Released};

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

impl ForwardLog for CrashingLog {
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
            self.points.pass(PointKind::Commit, "owner/acquired").await;
            Ok(epoch)
        })
    }

    fn release(&self, release: Release) -> BoxFuture<'_, Result<Released, LogError>> {
        Box::pin(async move {
            let released = self.inner.release(release).await?;
            if released == Released::Free {
                self.points.pass(PointKind::Commit, "owner/released").await;
            }
            Ok(released)
        })
    }

    fn append(&self, append: Append) -> BoxFuture<'_, Result<Appended, LogError>> {
        Box::pin(self.append_and_pass(append))
    }
}
