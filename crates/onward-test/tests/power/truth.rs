//! What a store held when a life ended, and what of it must be there when the power failed earlier.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use onward_event::{AppendId, Digest, Epoch, Event, Record, Seq, SessionId};
use onward_port::{Append, Log, StoredRecord, chain};
use onward_sqlite::SqliteStore;

/// Everything that was appended in a life and before it, as far as it survived.
#[derive(Clone, Debug, Default)]
pub(crate) struct Truth {
    pub(crate) logs: BTreeMap<SessionId, Vec<Entry>>,
    /// Appends by their ids: those that brought content or ended side streams, and those of clients.
    pub(crate) appends: BTreeMap<AppendId, Append>,
}

/// A record, and what has to be looked up in it.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) stored: StoredRecord,
    pub(crate) append: AppendId,
    /// The epoch that begins with it.
    pub(crate) acquired: Option<Epoch>,
}

/// What a store said is on disk, and when.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Promise {
    /// After so many operations of the disk.
    pub(crate) at: usize,
    pub(crate) session: SessionId,
    pub(crate) through: Seq,
}

/// What must be there after a loss of power.
#[derive(Debug, Default)]
pub(crate) struct Expected<'a> {
    /// All that may be there; `None` for an empty disk.
    pub(crate) truth: Option<&'a Truth>,
    /// Up to where each session must be there.
    pub(crate) through: BTreeMap<SessionId, Seq>,
}

impl Truth {
    /// Reads every log of the store, and verifies that each is contiguous, chained, and has only rising epochs.
    pub(crate) async fn read(store: &SqliteStore, appends: BTreeMap<AppendId, Append>) -> Result<Self> {
        let mut logs = BTreeMap::new();
        for summary in store.sessions().await? {
            let stored = store.read(summary.session, Seq(0), usize::MAX).await?;
            let log = entries(stored).with_context(|| format!("session {}", summary.session))?;
            logs.insert(summary.session, log);
        }
        Ok(Self { logs, appends })
    }
}

impl Expected<'_> {
    /// What the life before had of this session.
    pub(crate) fn log(&self, session: SessionId) -> &[Entry] {
        self.truth.and_then(|truth| truth.logs.get(&session)).map_or(&[], Vec::as_slice)
    }
}

fn entries(stored: Vec<StoredRecord>) -> Result<Vec<Entry>> {
    let mut hash = Digest::ZERO;
    let mut epoch = Epoch(0);
    let mut log = Vec::new();
    for (before, stored) in stored.into_iter().enumerate() {
        ensure!(stored.seq == Seq(before as u64 + 1), "record {} follows {before}", stored.seq);
        hash = chain(&hash, &stored.bytes);
        ensure!(stored.hash == hash, "record {} is not chained to the one before", stored.seq);
        let record = Record::from_bytes(&stored.bytes)?;
        let acquired = match &record.event {
            Event::OwnerAcquired(acquired) => Some(acquired.epoch),
            _ => None,
        };
        ensure!(acquired.is_none_or(|new| new > epoch), "record {}: epoch {epoch:?} again", stored.seq);
        epoch = acquired.unwrap_or(epoch);
        log.push(Entry { stored, append: record.append, acquired });
    }
    Ok(log)
}
