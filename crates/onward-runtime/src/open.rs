//! Opening a session: take up the stored fold if there is one, read the log behind it, verify the tail, fold.

use std::future::Future;
use std::pin::Pin;
use std::task::Poll;

use onward_core::{FOLD_VERSION, HistoryPiece, IllegalEvent, Session};
use onward_event::{BadRecord, Digest, Event, Record, Seq, SessionId};
use onward_port::{Head, Log, LogError, Snapshot, StoredRecord, chain};

use crate::parallel::{parse_while, read_all};
use crate::snapshots::StoredSnapshot;

/// Records read at once.
const PAGE: usize = 4_096;

/// Records of the tail whose hashes are verified when a session is opened: the last ones are those that a crash can
/// damage. `onward check` verifies all.
pub(crate) const VERIFIED_TAIL: usize = 1_000;

/// A session as its log says it is, and what is stored of its fold.
pub(crate) struct Opened {
    pub(crate) session: Session,
    pub(crate) snapshot: StoredSnapshot,
}

/// The fold of a whole log, read and verified exactly as far as by its next owner: what this refuses nobody can work on,
/// and what it takes the next owner takes.
///
/// # Errors
/// When the log cannot be read, or is damaged; the message names the record.
pub async fn load(log: &dyn Log, session: SessionId) -> Result<Session, LogError> {
    open(log, session, VERIFIED_TAIL).await.map(|opened| opened.session)
}

/// As [`load`], with what an owner needs to store the fold again.
pub(crate) async fn open(
    log: &dyn Log,
    session: SessionId,
    verified_tail: usize,
) -> Result<Opened, LogError> {
    let head = log.head(session).await?;
    let verify_from = head.seq.0.saturating_sub(verified_tail as u64);
    if let Some((state, snapshot)) = take_up(log, session).await? {
        let fold = Fold::new(session, Some((state, snapshot.head())), head, verify_from);
        // A stored fold that the log contradicts is no reason to refuse the log.
        if let Ok(session) = fold.run(log).await {
            return Ok(Opened { session, snapshot });
        }
    }
    let session = Fold::new(session, None, head, verify_from).run(log).await?;
    Ok(Opened { session, snapshot: StoredSnapshot::default() })
}

/// The stored fold, if there is one that can be used.
async fn take_up(log: &dyn Log, session: SessionId) -> Result<Option<(Session, StoredSnapshot)>, LogError> {
    let Some(found) = log.snapshot(session, FOLD_VERSION).await? else { return Ok(None) };
    let Snapshot { head, state, history } = found;
    let pieces = read_all(&history, |piece| HistoryPiece::from_bytes(piece));
    let Ok(pieces) = pieces.into_iter().collect::<Result<Vec<_>, _>>() else { return Ok(None) };
    let Ok(state) = Session::from_snapshot(&state, pieces) else { return Ok(None) };
    if state.id() != session || state.head() != head.seq {
        return Ok(None);
    }
    let snapshot = StoredSnapshot::of(head, history.len(), &state);
    Ok(Some((state, snapshot)))
}

/// A fold under way.
struct Fold {
    id: SessionId,
    state: Option<Session>,
    /// The record that the state began with, when it was stored.
    known: Option<Head>,
    /// Where the log ends, or ended when this began: what the next append is chained to.
    end: Head,
    /// The hashes of the records after this one are verified.
    verify_from: u64,
    /// The last record that was looked at.
    after: Seq,
    /// Its hash; unknown before the first that is read, when that is not the first of the log.
    hash: Option<Digest>,
}

/// Records as they are stored, and those of them that are to be folded as they were read.
#[derive(Default)]
struct Page {
    stored: Vec<StoredRecord>,
    records: Vec<Result<Record, BadRecord>>,
}

impl Fold {
    fn new(id: SessionId, stored: Option<(Session, Head)>, end: Head, verify_from: u64) -> Self {
        let (state, known) = stored.unzip();
        // With a stored fold, the tail is read all the same as far as it is to be verified; the record before it is the
        // one that its first hash is chained to.
        let first = known.map_or(0, |known| known.seq.0.min(verify_from).saturating_sub(1));
        let hash = (first == 0).then_some(Digest::ZERO);
        Self { id, state, known, end, verify_from, after: Seq(first), hash }
    }

    /// Reads and folds to the end of the log. While a page is parsed, the one before it is folded, and the store reads
    /// the one behind it.
    async fn run(mut self, log: &dyn Log) -> Result<Session, LogError> {
        let folded = self.known.map_or(Seq(0), |known| known.seq);
        let mut before = Page::default();
        let mut next = log.read(self.id, self.after, PAGE);
        loop {
            let stored = next.await?;
            let last = stored.len() < PAGE;
            next = log.read(self.id, stored.last().map_or(self.after, |stored| stored.seq), PAGE);
            if !last {
                next = begun(next).await;
            }
            let new = stored.partition_point(|stored| stored.seq <= folded);
            let (records, done) = parse_while(&stored[new..], || self.page(before));
            done?;
            before = Page { stored, records };
            if last {
                self.page(before)?;
                return self.state.ok_or(LogError::NoSession(self.id));
            }
        }
    }

    fn page(&mut self, page: Page) -> Result<(), LogError> {
        let folded = self.known.map_or(Seq(0), |known| known.seq);
        let mut records = page.records.into_iter();
        for stored in &page.stored {
            follows(self.id, self.after, stored.seq)?;
            if let Some(before) = &self.hash
                && stored.seq.0 > self.verify_from
            {
                verify(self.id, before, stored)?;
            }
            if self.known.is_some_and(|known| known.seq == stored.seq && known.hash != stored.hash) {
                return Err(damaged(self.id, stored.seq, "it is not the record that was folded"));
            }
            if stored.seq > folded
                && let Some(record) = records.next()
            {
                self.take(stored, record).map_err(|error| self.because(stored, error))?;
            }
            ends_as_named(self.id, self.end, stored)?;
            (self.after, self.hash) = (stored.seq, Some(stored.hash));
        }
        Ok(())
    }

    fn take(&mut self, stored: &StoredRecord, record: Result<Record, BadRecord>) -> Result<(), LogError> {
        let record = record.map_err(|error| damaged(self.id, stored.seq, error))?;
        in_order(self.id, self.after, stored, &record)?;
        match &mut self.state {
            None => Session::create(&record).map(|state| self.state = Some(state)),
            Some(state) => state.apply(&record),
        }
        .map_err(|illegal| refused(self.id, &record, &illegal))
    }

    /// Bytes that were changed can say anything: that they were is what is wrong with them, wherever they stand.
    fn because(&self, stored: &StoredRecord, error: LogError) -> LogError {
        let changed = self.hash.and_then(|before| verify(self.id, &before, stored).err());
        changed.unwrap_or(error)
    }
}

/// A record that was read and does not fit. One of a kind that this version does not know is no damage.
pub(crate) fn refused(session: SessionId, record: &Record, illegal: &IllegalEvent) -> LogError {
    match &record.event {
        Event::Unknown(_) => LogError::Newer { session, seq: record.seq, what: illegal.why.clone() },
        _ => damaged(session, record.seq, illegal),
    }
}

/// The next append is chained to the end that is named, so that must be the end that is there.
pub(crate) fn ends_as_named(session: SessionId, end: Head, last: &StoredRecord) -> Result<(), LogError> {
    if last.seq != end.seq || last.hash == end.hash {
        return Ok(());
    }
    let what =
        format!("what is to be appended would follow another record {} than the one that is there", end.seq);
    Err(damaged(session, end.seq.next(), what))
}

/// Lets a future begin its work, whose outcome is awaited later.
async fn begun<'a, T: Send + 'a>(
    mut future: Pin<Box<dyn Future<Output = T> + Send + 'a>>,
) -> Pin<Box<dyn Future<Output = T> + Send + 'a>> {
    let polled = std::future::poll_fn(|cx| Poll::Ready(future.as_mut().poll(cx))).await;
    match polled {
        Poll::Ready(outcome) => Box::pin(std::future::ready(outcome)),
        Poll::Pending => future,
    }
}

pub(crate) fn in_order(
    session: SessionId,
    after: Seq,
    stored: &StoredRecord,
    record: &Record,
) -> Result<(), LogError> {
    match record.seq == stored.seq {
        true => follows(session, after, stored.seq),
        false => Err(missing(session, after.next())),
    }
}

pub(crate) fn follows(session: SessionId, after: Seq, found: Seq) -> Result<(), LogError> {
    match found == after.next() {
        true => Ok(()),
        false => Err(missing(session, after.next())),
    }
}

fn missing(session: SessionId, seq: Seq) -> LogError {
    damaged(session, seq, format!("record {seq} is missing"))
}

pub(crate) fn verify(session: SessionId, before: &Digest, stored: &StoredRecord) -> Result<(), LogError> {
    // The hash of the first record of the tail is taken from its stored predecessor.
    if chain(before, &stored.bytes) == stored.hash {
        return Ok(());
    }
    let what = "its bytes do not match its hash".to_owned();
    Err(LogError::Damaged { session, seq: stored.seq, what })
}

pub(crate) fn damaged(session: SessionId, seq: Seq, error: impl std::fmt::Display) -> LogError {
    LogError::Damaged { session, seq, what: error.to_string() }
}

#[cfg(test)]
mod tests;
