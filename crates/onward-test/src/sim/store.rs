//! The simulated store: what a log is, in memory, without any luck of its own.
//!
//! Records have numbers and a chain of hashes; an owner's append meets its epoch and the end that it knows; a client's
//! key is the same append for ever. A record is *committed* at once and *on disk* only after a sync: a loss of power
//! takes the rest away, with the content and the keys that came with it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, Weak};

use bytes::Bytes;
use onward_event::{
    AppendId, By, CallId, Digest, Epoch, Event, EventWriter, OwnerAcquired, OwnerReleased, Record, Seq,
    Timestamp,
};
use onward_port::{
    Append, Appended, Blob, Create, Expect, Head, LogError, Release, Released, SideChunk, StoredRecord, chain,
};
use tokio::sync::watch;

use super::process::Process;
use super::world::{Planted, locked};

/// The store of one world, which has one session.
pub(super) struct Store {
    planted: Planted,
    kept: Mutex<Kept>,
    changed: watch::Sender<u64>,
}

#[derive(Default)]
struct Kept {
    records: Vec<(Record, StoredRecord)>,
    /// Records up to here are on disk.
    synced: usize,
    epoch: Epoch,
    /// A process that is gone holds nothing.
    holder: Option<Weak<Process>>,
    keys: BTreeMap<AppendId, (Seq, Head)>,
    /// Content, and the number of records that there were when it came.
    blobs: BTreeMap<Digest, (usize, Bytes)>,
    side: BTreeMap<String, Vec<SideChunk>>,
    /// Steps whose claims are still on their way, where they are an append of their own.
    unclaimed: BTreeSet<Seq>,
    /// How often something was lost that had been read: the power went, or claims did not arrive.
    losses: u64,
}

impl Store {
    pub(super) fn new(planted: Planted) -> Self {
        Self { planted, kept: Mutex::default(), changed: watch::channel(0).0 }
    }

    pub(super) fn create(&self, create: Create) -> Result<Head, LogError> {
        let mut kept = locked(&self.kept);
        if kept.records.is_empty() {
            let events = [Event::from(create.created)].into_iter().chain(create.events).collect();
            kept.write(create.id, create.at, None, Some(create.by), events)?;
        }
        kept.synced = kept.records.len();
        Ok(kept.head())
    }

    pub(super) fn append(&self, append: Append) -> Result<Appended, LogError> {
        let mut kept = locked(&self.kept);
        let epoch = match append.expect {
            Expect::Any => {
                if let Some((first, head)) = kept.keys.get(&append.id) {
                    return Ok(Appended::Committed { first: *first, head: *head });
                }
                None
            }
            Expect::Head { seq, epoch } => {
                if let Some(answer) = self.owners(&kept, &append, seq, epoch)? {
                    return Ok(answer);
                }
                Some(epoch)
            }
        };
        let before = kept.records.len();
        for scope in &append.ends_side {
            kept.side.remove(scope);
        }
        for Blob { hash, bytes } in append.blobs {
            kept.blobs.entry(hash).or_insert((before, bytes));
        }
        let by_client = append.expect == Expect::Any;
        let (first, head) = kept.write(append.id.clone(), append.at, epoch, append.by, append.events)?;
        if by_client {
            kept.keys.insert(append.id, (first, head));
        }
        if self.planted == Planted::ClaimsBeside {
            kept.await_claims(first);
        }
        drop(kept);
        if !by_client || self.planted != Planted::DropsWake {
            self.changed.send_modify(|version| *version += 1);
        }
        Ok(Appended::Committed { first, head })
    }

    /// The claims of these steps are in the log now, too.
    pub(super) fn claims_arrive(&self, first: Seq, last: Seq) {
        locked(&self.kept).unclaimed.retain(|seq| *seq < first || *seq > last);
    }

    /// The answer to an owner whose append is not written, for whatever reason.
    fn owners(
        &self,
        kept: &Kept,
        append: &Append,
        seq: Seq,
        ours: Epoch,
    ) -> Result<Option<Appended>, LogError> {
        if self.planted == Planted::NoFencing && ours != kept.epoch {
            return Ok(None);
        }
        if ours != kept.epoch {
            return Err(LogError::Fenced { session: append.session, ours, current: kept.epoch });
        }
        let missed = kept.after(seq);
        let is_it =
            |(record, _): &&(Record, StoredRecord)| record.append == append.id && record.epoch == Some(ours);
        if let (Some(first), Some(last)) = (missed.iter().find(is_it), missed.iter().rfind(is_it)) {
            let head = Head { seq: last.0.seq, hash: last.1.hash };
            return Ok(Some(Appended::Committed { first: first.0.seq, head }));
        }
        let missed: Vec<Record> = missed.iter().map(|(record, _)| record.clone()).collect();
        Ok((!missed.is_empty()).then_some(Appended::Conflict { missed }))
    }

    /// Gives the session to a process, unless another one holds it.
    pub(super) fn acquire(
        &self,
        process: &Arc<Process>,
        owner: String,
        id: AppendId,
        at: Timestamp,
    ) -> Result<Epoch, LogError> {
        let mut kept = locked(&self.kept);
        if kept.holder.as_ref().and_then(Weak::upgrade).is_some_and(|holder| holder.holds()) {
            return Err(LogError::Owned { session: process.world.session(), owner });
        }
        kept.lose_claims()?;
        let epoch = Epoch(kept.epoch.0 + 1);
        kept.epoch = epoch;
        kept.holder = Some(Arc::downgrade(process));
        kept.write(id, at, Some(epoch), None, vec![OwnerAcquired { epoch, owner }.into()])?;
        // A lie about disks is one about every sync.
        if self.planted != Planted::NoSync {
            kept.synced = kept.records.len();
        }
        drop(kept);
        self.changed.send_modify(|version| *version += 1);
        Ok(epoch)
    }

    pub(super) fn release(&self, release: Release) -> Result<Released, LogError> {
        let Release { session, epoch: ours, seen, id, at } = release;
        let mut kept = locked(&self.kept);
        if ours != kept.epoch {
            return Err(LogError::Fenced { session, ours, current: kept.epoch });
        }
        if seen.0 < kept.records.len() as u64 {
            return Ok(Released::Behind);
        }
        kept.holder = None;
        kept.write(id, at, Some(ours), None, vec![OwnerReleased { epoch: ours }.into()])?;
        drop(kept);
        self.changed.send_modify(|version| *version += 1);
        Ok(Released::Free)
    }

    pub(super) fn sync(&self, seq: Seq) {
        let mut kept = locked(&self.kept);
        if self.planted != Planted::NoSync {
            kept.synced = kept.synced.max(usize::try_from(seq.0).unwrap_or(0)).min(kept.records.len());
        }
    }

    /// The machine loses its power: what is not on disk is gone. Says whether anything was.
    pub(super) fn lose_power(&self) -> bool {
        let mut kept = locked(&self.kept);
        let synced = kept.synced;
        let lost = kept.records.len() > synced;
        kept.records.truncate(synced);
        kept.keys.retain(|_, (_, head)| head.seq.0 <= synced as u64);
        kept.blobs.retain(|_, (before, _)| *before < synced);
        kept.side.clear();
        kept.holder = None;
        kept.losses += 1;
        lost
    }

    /// How often the power was lost: who began before a loss does not go on after it.
    pub(super) fn losses(&self) -> u64 {
        locked(&self.kept).losses
    }

    pub(super) fn read(&self, after: Seq, limit: usize) -> Vec<StoredRecord> {
        let kept = locked(&self.kept);
        kept.after(after).iter().take(limit).map(|(_, stored)| stored.clone()).collect()
    }

    pub(super) fn records(&self, after: Seq) -> Vec<Record> {
        locked(&self.kept).after(after).iter().map(|(record, _)| record.clone()).collect()
    }

    pub(super) fn head(&self) -> Head {
        locked(&self.kept).head()
    }

    pub(super) fn watch(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(super) fn blob(&self, hash: Digest) -> Option<Bytes> {
        locked(&self.kept).blobs.get(&hash).map(|(_, bytes)| bytes.clone())
    }

    pub(super) fn put_side(&self, scope: String, chunk: SideChunk) {
        locked(&self.kept).side.entry(scope).or_default().push(chunk);
    }

    pub(super) fn side(&self, scope: &str, from: u64) -> Vec<SideChunk> {
        let kept = locked(&self.kept);
        let chunks = kept.side.get(scope).into_iter().flatten();
        chunks.filter(|chunk| chunk.n >= from).cloned().collect()
    }

    /// Whether an event like this is on disk.
    pub(super) fn has_on_disk(&self, like: impl FnMut(&Event) -> bool) -> bool {
        let kept = locked(&self.kept);
        let on_disk = kept.records.get(..kept.synced).unwrap_or_default();
        on_disk.iter().map(|(record, _)| &record.event).any(like)
    }

    /// The call that was proposed with this name in its input, wherever its record is.
    pub(super) fn call_named(&self, name: &str) -> Option<CallId> {
        let kept = locked(&self.kept);
        kept.records.iter().rev().find_map(|(record, _)| match &record.event {
            Event::ToolCall(call) if call.input["name"] == name => Some(call.call),
            _ => None,
        })
    }
}

impl Kept {
    fn head(&self) -> Head {
        let last = self.records.last();
        last.map_or(Head { seq: Seq(0), hash: Digest::ZERO }, |(_, stored)| Head {
            seq: stored.seq,
            hash: stored.hash,
        })
    }

    fn after(&self, seq: Seq) -> &[(Record, StoredRecord)] {
        let after = usize::try_from(seq.0).unwrap_or(usize::MAX);
        self.records.get(after..).unwrap_or_default()
    }

    fn await_claims(&mut self, first: Seq) {
        let new = self.after(Seq(first.0 - 1)).iter();
        let claims = |event: &Event| matches!(event, Event::StepStart(step) if !step.claims.is_empty());
        let steps: Vec<Seq> =
            new.filter(|(record, _)| claims(&record.event)).map(|(record, _)| record.seq).collect();
        self.unclaimed.extend(steps);
    }

    /// Whoever was to append these claims is gone: the log never had them.
    fn lose_claims(&mut self) -> Result<(), LogError> {
        let lost = std::mem::take(&mut self.unclaimed);
        let Some(first) = lost.first().and_then(|seq| usize::try_from(seq.0).ok()) else { return Ok(()) };
        for (record, _) in self.records.iter_mut().filter(|(record, _)| lost.contains(&record.seq)) {
            if let Event::StepStart(step) = &mut record.event {
                step.claims.clear();
            }
        }
        let later = self.records.split_off(first.saturating_sub(1).min(self.records.len()));
        for (record, _) in later {
            self.push(record)?;
        }
        self.losses += 1;
        Ok(())
    }

    fn push(&mut self, record: Record) -> Result<(), LogError> {
        let bytes = record.to_bytes().map_err(|error| LogError::Io(error.to_string()))?;
        let hash = chain(&self.head().hash, &bytes);
        let stored = StoredRecord { seq: record.seq, bytes, hash };
        self.records.push((record, stored));
        Ok(())
    }

    fn write(
        &mut self,
        append: AppendId,
        at: Timestamp,
        epoch: Option<Epoch>,
        by: Option<By>,
        events: Vec<Event>,
    ) -> Result<(Seq, Head), LogError> {
        let first = self.head().seq.next();
        for event in events {
            let seq = self.head().seq.next();
            let epoch = epoch.filter(|_| event.writer() != EventWriter::Client);
            self.push(Record { seq, at, epoch, by: by.clone(), append: append.clone(), event })?;
        }
        Ok((first, self.head()))
    }
}
