//! What is read from the database: logs, heads, the list of sessions, side streams.

use onward_event::{AgentSpec, Seq, SessionId, Timestamp, Workspace};
use onward_port::{Head, LogError, OwnerState, SessionSummary, SideChunk, StoredRecord};
use rusqlite::{Connection, Row, params};

use crate::fault::{Fault, StoreFault};
use crate::ownership::OwnerProbe;
use crate::place::Place;
use crate::session::{SessionRow, found, head_at, records_after, signed, unsigned};

/// Up to `limit` records after `after`, as they are stored.
pub(crate) fn read(
    conn: &Connection,
    session: SessionId,
    after: Seq,
    limit: usize,
) -> Result<Vec<StoredRecord>, Fault> {
    let row = found(SessionRow::find(conn, session)?, session)?;
    let damaged = |whole: &[StoredRecord], what: String| {
        let last = whole.last().map_or(after, |record| record.seq);
        Fault::Refused(LogError::Damaged { session, seq: last.next(), what })
    };
    let records = records_after(conn, row.key, after, limit).map_err(|(whole, error)| {
        let fault = StoreFault::from(error);
        if !fault.is_corrupt() {
            return Fault::Store(fault);
        }
        damaged(&whole, fault.text().to_owned())
    })?;
    // A damaged page can make rows vanish without an error. The head was read first, so the log reaches at least so far.
    if records.len() < limit && records.last().map_or(after, |record| record.seq) < row.head.seq {
        return Err(damaged(
            &records,
            format!("it is missing, and the log reaches to record {}", row.head.seq),
        ));
    }
    Ok(records)
}

/// The end of a log.
pub(crate) fn head(conn: &Connection, session: SessionId) -> Result<Head, Fault> {
    Ok(found(SessionRow::find(conn, session)?, session)?.head)
}

/// A side stream from `from` on.
pub(crate) fn side(
    conn: &Connection,
    session: SessionId,
    scope: &str,
    from: u64,
) -> Result<Vec<SideChunk>, Fault> {
    let row = found(SessionRow::find(conn, session)?, session)?;
    let mut select = conn.prepare_cached(
        "SELECT n, text FROM side WHERE session = ?1 AND scope = ?2 AND n >= ?3 ORDER BY n",
    )?;
    let chunks = select.query_map(params![row.key, scope, signed(from)], |row| {
        Ok(SideChunk { n: unsigned(row.get(0)?), text: row.get(1)? })
    })?;
    Ok(chunks.collect::<Result<_, _>>()?)
}

/// Every session, the latest first.
pub(crate) fn sessions(conn: &Connection, place: &Place) -> Result<Vec<SessionSummary>, Fault> {
    let mut select = conn.prepare_cached(
        "SELECT id, created, updated, seq, hash, owner, lock, spec, workspace
         FROM sessions JOIN setup ON setup.session = sessions.key ORDER BY updated DESC, key DESC",
    )?;
    let lines = select.query_map([], Line::read)?.collect::<Result<Vec<_>, _>>()?;
    let mut probe = OwnerProbe::new(place);
    let summaries = lines.into_iter().map(|line| {
        let owner = probe.state(line.owner.clone(), line.lock.clone())?;
        line.summary(place, owner)
    });
    Ok(summaries.collect::<Result<_, _>>()?)
}

struct Line {
    id: String,
    created: Timestamp,
    updated: Timestamp,
    head: Head,
    owner: Option<String>,
    lock: Option<String>,
    spec: String,
    workspace: String,
}

impl Line {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            id: row.get(0)?,
            created: Timestamp(unsigned(row.get(1)?)),
            updated: Timestamp(unsigned(row.get(2)?)),
            head: head_at(row, 3)?,
            owner: row.get(5)?,
            lock: row.get(6)?,
            spec: row.get(7)?,
            workspace: row.get(8)?,
        })
    }

    fn summary(self, place: &Place, owner: OwnerState) -> Result<SessionSummary, LogError> {
        let damaged = |what: String| {
            LogError::Corrupt(format!(
                "{}: the row of session {}: {what}",
                place.database().display(),
                self.id
            ))
        };
        let session: SessionId = self.id.parse().map_err(|_| damaged("its id is none".into()))?;
        let spec: AgentSpec = serde_json::from_str(&self.spec).map_err(|error| damaged(error.to_string()))?;
        let workspace: Workspace =
            serde_json::from_str(&self.workspace).map_err(|error| damaged(error.to_string()))?;
        let Self { created, updated, head, .. } = self;
        Ok(SessionSummary { session, created, updated, spec, workspace, head, owner })
    }
}
