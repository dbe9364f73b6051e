//! What a store held when a life ended, and what of it must be there when the power failed earlier.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use onward_event::{AppendId, Digest, Epoch, Event, Record, Seq, SessionId};
use onward_port::{Append, Expect, Log, StoredRecord, chain};
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
    /// What is the same in `before` was verified then.
    pub(crate) async fn read(
        store: &SqliteStore,
        appends: BTreeMap<AppendId, Append>,
        before: &Expected<'_>,
    ) -> Result<Self> {
        let mut logs = BTreeMap::new();
        for summary in store.sessions().await? {
            let stored = store.read(summary.session, Seq(0), usize::MAX).await?;
            let log = entries(stored, before.log(summary.session))
                .with_context(|| format!("session {}", summary.session))?;
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

    /// The appends of clients to this session, each with its first record, in the order of the log.
    pub(crate) fn clients(&self, session: SessionId) -> Vec<(Seq, &Append)> {
        let found = self.log(session).iter().filter_map(|entry| {
            let append = self.truth?.appends.get(&entry.append)?;
            (append.expect == Expect::Any).then_some((entry.stored.seq, append))
        });
        let mut clients: Vec<_> = found.collect();
        clients.dedup_by_key(|(_, append)| &append.id);
        clients
    }
}

fn entries(stored: Vec<StoredRecord>, known: &[Entry]) -> Result<Vec<Entry>> {
    let known = known.iter().zip(&stored).take_while(|(entry, stored)| entry.stored == **stored);
    let mut log: Vec<Entry> = known.map(|(entry, _)| entry.clone()).collect();
    let mut hash = log.last().map_or(Digest::ZERO, |entry| entry.stored.hash);
    let mut epoch = log.iter().filter_map(|entry| entry.acquired).max().unwrap_or_default();
    for stored in stored.into_iter().skip(log.len()) {
        ensure!(stored.seq == Seq(log.len() as u64 + 1), "record {} follows {}", stored.seq, log.len());
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
