//! Appending and creating, within a transaction; and finding out afterwards whether it happened.

use onward_event::{Epoch, Record, Seq, SessionId};
use onward_port::{Expect, LogError};
use rusqlite::{Connection, params};

use crate::draft::Draft;
use crate::fault::{Fault, StoreFault};
use crate::request::{Done, Outcome, Setup};
use crate::session::{SessionRow, found, records_after, signed};

/// Appends, if what the draft expects holds. `own_lock` is the lock file of this process.
pub(crate) fn append(conn: &Connection, draft: &Draft, own_lock: Option<&str>) -> Result<Outcome, Fault> {
    let mut row = found(SessionRow::find(conn, draft.session)?, draft.session)?;
    match draft.expect {
        Expect::Any => {
            if let Some(done) = row.remembered(conn, &draft.id)? {
                return Ok(Outcome::Done(done));
            }
        }
        Expect::Head { seq, epoch } => {
            check_owner(&row, draft, epoch, own_lock)?;
            if seq < row.head.seq {
                return missed(conn, &row, seq);
            }
            check_not_ahead(&row, draft.session, seq)?;
        }
    }
    let done = write(conn, &mut row, draft)?;
    Ok(Outcome::Done(done))
}

/// Creates the session, unless it is there.
pub(crate) fn create(conn: &Connection, draft: &Draft, setup: &Setup) -> Result<Outcome, Fault> {
    if let Some(done) = created(conn, draft)? {
        return Ok(Outcome::Done(done));
    }
    conn.prepare_cached(
        "INSERT INTO sessions (id, created, updated, seq, hash, epoch, released)
         VALUES (?1, ?2, ?2, 0, zeroblob(32), 0, 0)",
    )?
    .execute(params![draft.session.to_string(), signed(draft.at.0)])?;
    let mut row = found(SessionRow::find(conn, draft.session)?, draft.session)?;
    conn.prepare_cached("INSERT INTO setup (session, spec, workspace) VALUES (?1, ?2, ?3)")?
        .execute(params![row.key, setup.spec, setup.workspace])?;
    Ok(Outcome::Done(write(conn, &mut row, draft)?))
}

/// What an append whose transaction failed has done.
pub(crate) fn look_up(conn: &Connection, draft: &Draft) -> Result<Option<Done>, StoreFault> {
    let Some(row) = SessionRow::find(conn, draft.session)? else { return Ok(None) };
    match draft.expect {
        Expect::Any => Ok(row.remembered(conn, &draft.id)?),
        Expect::Head { seq, epoch } => look_up_owners(conn, &row, draft, seq, epoch),
    }
}

/// What the session's creation has done, if it exists.
pub(crate) fn created(conn: &Connection, draft: &Draft) -> rusqlite::Result<Option<Done>> {
    let Some(row) = SessionRow::find(conn, draft.session)? else { return Ok(None) };
    let now = Done { first: Seq(1), head: row.head, epoch: row.epoch, fresh: false };
    Ok(Some(row.remembered(conn, &draft.id)?.unwrap_or(now)))
}

/// Adds what was drafted behind the row's head.
pub(crate) fn write(conn: &Connection, row: &mut SessionRow, draft: &Draft) -> rusqlite::Result<Done> {
    // First what gives room, then what needs it.
    for scope in &draft.ends_side {
        conn.prepare_cached("DELETE FROM side WHERE session = ?1 AND scope = ?2")?
            .execute(params![row.key, scope])?;
    }
    for blob in &draft.blobs {
        conn.prepare_cached(
            "INSERT INTO blobs (hash, size, bytes) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
        )?
        .execute(params![blob.hash.0, signed(blob.size as u64), blob.bytes.as_deref()])?;
    }
    let done = row.extend(conn, draft.at, &draft.bodies)?;
    if draft.expect == Expect::Any {
        row.remember(conn, &draft.id, &done)?;
    }
    Ok(done)
}

fn check_owner(row: &SessionRow, draft: &Draft, ours: Epoch, own_lock: Option<&str>) -> Result<(), LogError> {
    if ours != row.epoch {
        return Err(LogError::Fenced { session: draft.session, ours, current: row.epoch });
    }
    if row.lock.is_none() || row.lock.as_deref() != own_lock {
        return Err(LogError::Io(format!(
            "session {} is not owned by this process; nothing was written. Acquire it first",
            draft.session
        )));
    }
    Ok(())
}

/// An owner that knows more than the store has is not to go on: records are gone.
pub(crate) fn check_not_ahead(row: &SessionRow, session: SessionId, known: Seq) -> Result<(), LogError> {
    if known <= row.head.seq {
        return Ok(());
    }
    Err(LogError::Damaged {
        session,
        seq: row.head.seq.next(),
        what: format!("its owner knows records up to {known}, the store has them up to {}", row.head.seq),
    })
}

fn missed(conn: &Connection, row: &SessionRow, known: Seq) -> Result<Outcome, Fault> {
    let records = records_after(conn, row.key, known, usize::MAX).map_err(|(_, error)| error)?;
    Ok(Outcome::Missed { before: row.hash_at(conn, known)?, records })
}

/// An owner's append has no key: its records carry its id.
fn look_up_owners(
    conn: &Connection,
    row: &SessionRow,
    draft: &Draft,
    known: Seq,
    epoch: Epoch,
) -> Result<Option<Done>, StoreFault> {
    let records = records_after(conn, row.key, known, usize::MAX).map_err(|(_, error)| error)?;
    let ours: Vec<Seq> = records
        .iter()
        .filter_map(|stored| Record::from_bytes(&stored.bytes).ok())
        .filter(|record| record.append == draft.id && record.epoch == Some(epoch))
        .map(|record| record.seq)
        .collect();
    let (Some(first), Some(last)) = (ours.first(), ours.last()) else { return Ok(None) };
    let head = onward_port::Head { seq: *last, hash: row.hash_at(conn, *last)? };
    Ok(Some(Done { first: *first, head, epoch, fresh: false }))
}
