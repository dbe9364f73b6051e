//! A session's row: its head, its owner, and how records are added to it.

use onward_event::{AppendId, Digest, Epoch, Seq, SessionId, Timestamp};
use onward_port::{Head, LogError, StoredRecord, chain};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::draft::Body;
use crate::request::Done;

/// The row.
#[derive(Clone, Debug)]
pub(crate) struct SessionRow {
    /// What the other tables call it.
    pub(crate) key: i64,
    pub(crate) head: Head,
    pub(crate) epoch: Epoch,
    pub(crate) owner: Option<String>,
    /// The lock file of the owning process; `None` when nobody owns the session.
    pub(crate) lock: Option<String>,
    /// The append by which the owner took it.
    pub(crate) acquired_by: Option<String>,
}

impl SessionRow {
    /// The row, if there is such a session.
    pub(crate) fn find(conn: &Connection, session: SessionId) -> rusqlite::Result<Option<Self>> {
        conn.prepare_cached(
            "SELECT key, seq, hash, epoch, owner, lock, acquired_by FROM sessions WHERE id = ?1",
        )?
        .query_row([session.to_string()], |row| {
            Ok(Self {
                key: row.get(0)?,
                head: head_at(row, 1)?,
                epoch: Epoch(unsigned(row.get(3)?)),
                owner: row.get(4)?,
                lock: row.get(5)?,
                acquired_by: row.get(6)?,
            })
        })
        .optional()
    }

    /// Adds records after the head, each chained to the one before, and moves the head.
    pub(crate) fn extend(
        &mut self,
        conn: &Connection,
        at: Timestamp,
        bodies: &[Body],
    ) -> rusqlite::Result<Done> {
        let first = self.head.seq.next();
        let mut insert =
            conn.prepare_cached("INSERT INTO records (session, seq, bytes, hash) VALUES (?1, ?2, ?3, ?4)")?;
        for body in bodies {
            let seq = self.head.seq.next();
            let bytes = body.at(seq);
            let hash = chain(&self.head.hash, &bytes);
            insert.execute(params![self.key, signed(seq.0), bytes, hash.0])?;
            self.head = Head { seq, hash };
        }
        conn.prepare_cached("UPDATE sessions SET seq = ?2, hash = ?3, updated = ?4 WHERE key = ?1")?
            .execute(params![self.key, signed(self.head.seq.0), self.head.hash.0, signed(at.0)])?;
        Ok(Done { first, head: self.head, epoch: self.epoch, fresh: true })
    }

    /// Remembers the key under which a client appended.
    pub(crate) fn remember(&self, conn: &Connection, key: &AppendId, done: &Done) -> rusqlite::Result<()> {
        conn.prepare_cached("INSERT INTO clients (session, key, first, last) VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![self.key, key.0, signed(done.first.0), signed(done.head.seq.0)])?;
        Ok(())
    }

    /// What an earlier append under this key did.
    pub(crate) fn remembered(&self, conn: &Connection, key: &AppendId) -> rusqlite::Result<Option<Done>> {
        let found: Option<(i64, i64)> = conn
            .prepare_cached("SELECT first, last FROM clients WHERE session = ?1 AND key = ?2")?
            .query_row(params![self.key, key.0], |row| Ok((row.get(0)?, row.get(1)?)))
            .optional()?;
        let Some((first, last)) = found else { return Ok(None) };
        let last = Seq(unsigned(last));
        let head = Head { seq: last, hash: self.hash_at(conn, last)? };
        Ok(Some(Done { first: Seq(unsigned(first)), head, epoch: self.epoch, fresh: false }))
    }

    /// The hash of a record; zeros before the first.
    pub(crate) fn hash_at(&self, conn: &Connection, seq: Seq) -> rusqlite::Result<Digest> {
        if seq == Seq(0) {
            return Ok(Digest::ZERO);
        }
        conn.prepare_cached("SELECT hash FROM records WHERE session = ?1 AND seq = ?2")?
            .query_row(params![self.key, signed(seq.0)], |row| row.get(0).map(Digest))
    }
}

/// Up to `limit` records after `after`.
///
/// # Errors
/// What went wrong, with the records that came before it.
pub(crate) fn records_after(
    conn: &Connection,
    key: i64,
    after: Seq,
    limit: usize,
) -> Result<Vec<StoredRecord>, (Vec<StoredRecord>, rusqlite::Error)> {
    let mut out = Vec::new();
    let mut fill = || -> rusqlite::Result<()> {
        let mut select = conn.prepare_cached(
            "SELECT seq, bytes, hash FROM records WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
        )?;
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let mut rows = select.query(params![key, signed(after.0), limit])?;
        while let Some(row) = rows.next()? {
            out.push(StoredRecord {
                seq: Seq(unsigned(row.get(0)?)),
                bytes: row.get(1)?,
                hash: Digest(row.get(2)?),
            });
        }
        Ok(())
    };
    match fill() {
        Ok(()) => Ok(out),
        Err(error) => Err((out, error)),
    }
}

/// The error for a session that is not there.
pub(crate) fn found(row: Option<SessionRow>, session: SessionId) -> Result<SessionRow, LogError> {
    row.ok_or(LogError::NoSession(session))
}

/// The head in two columns from `first` on.
pub(crate) fn head_at(row: &Row<'_>, first: usize) -> rusqlite::Result<Head> {
    Ok(Head { seq: Seq(unsigned(row.get(first)?)), hash: Digest(row.get(first + 1)?) })
}

/// SQLite's integers are signed: what is beyond them becomes the largest, which is after everything that is stored.
pub(crate) fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// The way back. Nothing negative is ever stored; damage reads as zero, which no check accepts.
pub(crate) fn unsigned(n: i64) -> u64 {
    u64::try_from(n).unwrap_or(0)
}
