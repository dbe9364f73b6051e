//! Reading a log record by record, for views: what is shown was verified, and what is damaged is named.

use onward_event::{Digest, Record, Seq, SessionId};
use onward_port::{Log, LogError, StoredRecord};

use crate::open::{damaged, follows, in_order, verify};

/// Records read at once.
const PAGE: usize = 4_096;

/// Reads the records of a log in their order. Each is verified against its hash, which is chained to the record before.
pub struct RecordReader<'a> {
    log: &'a dyn Log,
    session: SessionId,
    after: Seq,
    /// Of the record at `after`, once it is known.
    hash: Option<Digest>,
    /// How many are read at once.
    page: usize,
}

impl<'a> RecordReader<'a> {
    /// Reads from behind this record on; its own stored hash is believed.
    pub fn new(log: &'a dyn Log, session: SessionId, after: Seq) -> Self {
        let hash = (after == Seq(0)).then_some(Digest::ZERO);
        Self { log, session, after, hash, page: PAGE }
    }

    /// The last record that was given.
    pub fn position(&self) -> Seq {
        self.after
    }

    /// The next records; none when there are no more for now, and more may be there when it is asked again.
    ///
    /// # Errors
    /// When the log cannot be read, or its next record is damaged: the message names it, and whatever stands before it
    /// was given.
    pub async fn next_page(&mut self) -> Result<Vec<(Record, Digest)>, LogError> {
        // The record before is read again for its hash.
        let from = if self.hash.is_some() { self.after } else { Seq(self.after.0.saturating_sub(1)) };
        let page = match self.log.read(self.session, from, self.page).await {
            // Where the store has lost a record, what stands before it is read by itself.
            Err(LogError::Damaged { seq, .. }) if seq > self.after.next() => {
                let whole = seq.0.saturating_sub(from.0).saturating_sub(1);
                self.log.read(self.session, from, usize::try_from(whole).unwrap_or(usize::MAX)).await?
            }
            read => read?,
        };
        let mut records = Vec::with_capacity(page.len());
        for stored in &page {
            if self.hash.is_none() && stored.seq == self.after {
                self.hash = Some(stored.hash);
                continue;
            }
            match self.read(stored) {
                Ok(record) => records.push((record, stored.hash)),
                Err(damage) if records.is_empty() => return Err(damage),
                // It is the first one that the next page meets.
                Err(_) => break,
            }
        }
        Ok(records)
    }

    fn read(&mut self, stored: &StoredRecord) -> Result<Record, LogError> {
        // As an owner would: bytes that were changed are that first of all, whatever they say now.
        follows(self.session, self.after, stored.seq)?;
        if let Some(before) = &self.hash {
            verify(self.session, before, stored)?;
        }
        let record = Record::from_bytes(&stored.bytes);
        let record = record.map_err(|error| damaged(self.session, stored.seq, error))?;
        in_order(self.session, self.after, stored, &record)?;
        (self.after, self.hash) = (stored.seq, Some(stored.hash));
        Ok(record)
    }
}

/// At most so many records from the start of a log, up to the first that is damaged, and what is wrong with that one.
pub async fn load_first(
    log: &dyn Log,
    session: SessionId,
    count: usize,
) -> (Vec<(Record, Digest)>, Result<(), LogError>) {
    let mut reader = RecordReader { page: count, ..RecordReader::new(log, session, Seq(0)) };
    let records = match reader.next_page().await {
        Ok(records) => records,
        Err(error) => return (Vec::new(), Err(error)),
    };
    // A page that is short ends with the log, or before a damaged record.
    let whole = match records.len() < count {
        true => reader.next_page().await.map(|_| ()),
        false => Ok(()),
    };
    (records, whole)
}

/// The records after `after`, up to the first that is damaged, and what is wrong with that one.
pub async fn load_undamaged(
    log: &dyn Log,
    session: SessionId,
    after: Seq,
) -> (Vec<(Record, Digest)>, Result<(), LogError>) {
    let (mut records, mut reader) = (Vec::new(), RecordReader::new(log, session, after));
    loop {
        match reader.next_page().await {
            Ok(page) if page.is_empty() => return (records, Ok(())),
            Ok(page) => records.extend(page),
            Err(error) => return (records, Err(error)),
        }
    }
}

/// The records after `after`.
///
/// # Errors
/// When the log cannot be read, or is damaged; the message names the record.
pub async fn load_records(
    log: &dyn Log,
    session: SessionId,
    after: Seq,
) -> Result<Vec<(Record, Digest)>, LogError> {
    let (records, whole) = load_undamaged(log, session, after).await;
    whole.map(|()| records)
}
