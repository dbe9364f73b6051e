//! Opening a session: read the log, verify the tail, fold.

use onward_core::Session;
use onward_event::{BadRecord, Digest, Record, Seq, SessionId};
use onward_port::{Log, LogError, StoredRecord, chain};

/// Records read at once.
const PAGE: usize = 10_000;

/// The fold of a whole log.
///
/// # Errors
/// When the log cannot be read, or is damaged; the message names the record.
pub async fn load(log: &dyn Log, session: SessionId, verified_tail: usize) -> Result<Session, LogError> {
    let head = log.head(session).await?;
    let verify_from = head.seq.0.saturating_sub(verified_tail as u64);
    let (mut state, mut after, mut hash): (Option<Session>, Seq, Digest) = (None, Seq(0), Digest::ZERO);
    loop {
        let page = log.read(session, after, PAGE).await?;
        for stored in &page {
            if stored.seq.0 > verify_from {
                verify(session, &hash, stored)?;
            }
            let record = parse(session, after, stored)?;
            match &mut state {
                None => state = Some(Session::create(&record).map_err(|e| damaged(session, stored.seq, e))?),
                Some(state) => state.apply(&record).map_err(|e| damaged(session, stored.seq, e))?,
            }
            (after, hash) = (stored.seq, stored.hash);
        }
        if page.len() < PAGE {
            return state.ok_or(LogError::NoSession(session));
        }
    }
}

/// The records after `after`, parsed; for views.
///
/// # Errors
/// As [`load`].
pub async fn load_records(
    log: &dyn Log,
    session: SessionId,
    after: Seq,
) -> Result<Vec<(Record, Digest)>, LogError> {
    let (mut records, mut after) = (Vec::new(), after);
    loop {
        let page = log.read(session, after, PAGE).await?;
        for stored in &page {
            records.push((parse(session, after, stored)?, stored.hash));
            after = stored.seq;
        }
        if page.len() < PAGE {
            return Ok(records);
        }
    }
}

fn parse(session: SessionId, after: Seq, stored: &StoredRecord) -> Result<Record, LogError> {
    let record = Record::from_bytes(&stored.bytes).map_err(|e: BadRecord| damaged(session, stored.seq, e))?;
    if stored.seq != after.next() || record.seq != stored.seq {
        let what = format!("record {} is missing", after.next());
        return Err(LogError::Damaged { session, seq: after.next(), what });
    }
    Ok(record)
}

fn verify(session: SessionId, before: &Digest, stored: &StoredRecord) -> Result<(), LogError> {
    // The hash of the first record of the tail is taken from its stored predecessor.
    if chain(before, &stored.bytes) == stored.hash {
        return Ok(());
    }
    let what = "its bytes do not match its hash".to_owned();
    Err(LogError::Damaged { session, seq: stored.seq, what })
}

fn damaged(session: SessionId, seq: Seq, error: impl std::fmt::Display) -> LogError {
    LogError::Damaged { session, seq, what: error.to_string() }
}
