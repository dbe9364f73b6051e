//! The log as it is on disk, read beside the process that writes it.

use std::path::Path;

use onward_event::{Event, Record, Seq, SessionId};
use onward_port::{Log as _, SessionSummary};
use onward_runtime::load_records;
use onward_sqlite::SqliteStore;

/// The records of a session.
pub(crate) struct Records(pub(crate) Vec<Record>);

/// The records of this session; none while there is no store, or no such session.
pub(crate) fn records(data: &Path, session: SessionId) -> Records {
    let read = with_store(data, async |store| load_records(store, session, Seq(0)).await.ok());
    Records(read.flatten().unwrap_or_default().into_iter().map(|(record, _)| record).collect())
}

/// Every session, the latest first.
pub(super) fn sessions(data: &Path) -> Vec<SessionSummary> {
    with_store(data, async |store| store.sessions().await.ok()).flatten().unwrap_or_default()
}

/// Texts that the side streams of an attempt hold.
pub(super) fn side_text(data: &Path, session: SessionId, scope: &str) -> String {
    let chunks = with_store(data, async |store| store.side(session, scope.to_owned(), 0).await.ok());
    chunks.flatten().unwrap_or_default().into_iter().map(|chunk| chunk.text).collect()
}

impl Records {
    /// The kinds, in their order.
    pub(crate) fn kinds(&self) -> Vec<&str> {
        self.0.iter().map(|record| record.event.kind()).collect()
    }

    /// How many there are of a kind.
    pub(crate) fn count(&self, kind: &str) -> usize {
        self.kinds().iter().filter(|found| **found == kind).count()
    }

    /// What `pick` finds, in order.
    pub(crate) fn all<'a, T>(&'a self, pick: impl Fn(&'a Event) -> Option<T>) -> Vec<T> {
        self.0.iter().filter_map(|record| pick(&record.event)).collect()
    }
}

/// Looks at the store; `None` while there is none.
fn with_store<T>(data: &Path, work: impl AsyncFnOnce(&SqliteStore) -> T) -> Option<T> {
    let store = SqliteStore::open_read_only(data).ok()?;
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let found = runtime.block_on(work(&store));
    store.close();
    Some(found)
}
