//! The records that an owner did not know, verified and read on the caller's side.

use onward_event::{AppendId, Digest, Epoch, Record, SessionId};
use onward_port::{Appended, Head, LogError, StoredRecord, chain};

/// Turns missed records into the answer of the append that missed them. If some are its own, an earlier try with the
/// same id was committed after all.
///
/// # Errors
/// [`LogError::Damaged`] when they are not what was written.
pub(crate) fn answer(
    session: SessionId,
    id: &AppendId,
    epoch: Epoch,
    before: Digest,
    stored: &[StoredRecord],
) -> Result<Appended, LogError> {
    let missed = verified(session, before, stored)?;
    let is_own = |record: &Record| record.append == *id && record.epoch == Some(epoch);
    let own = |end: Option<usize>| end.and_then(|n| stored.get(n));
    let first = own(missed.iter().position(is_own));
    let last = own(missed.iter().rposition(is_own));
    Ok(match (first, last) {
        (Some(first), Some(last)) => {
            Appended::Committed { first: first.seq, head: Head { seq: last.seq, hash: last.hash } }
        }
        _ => Appended::Conflict { missed },
    })
}

fn verified(session: SessionId, before: Digest, stored: &[StoredRecord]) -> Result<Vec<Record>, LogError> {
    let mut hash = before;
    let mut records = Vec::with_capacity(stored.len());
    for one in stored {
        let damaged = |what: String| LogError::Damaged { session, seq: one.seq, what };
        hash = chain(&hash, &one.bytes);
        if hash != one.hash {
            return Err(damaged("its bytes do not match its hash".into()));
        }
        let record = Record::from_bytes(&one.bytes).map_err(|error| damaged(error.to_string()))?;
        if record.seq != one.seq {
            return Err(damaged(format!("it says that it is record {}", record.seq)));
        }
        records.push(record);
    }
    Ok(records)
}
