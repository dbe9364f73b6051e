//! Snapshots: stored in a transaction of their own, and believed only when every byte is accounted for.

use onward_event::{Digest, Seq, SessionId};
use onward_port::{DigestChain, Head, PutSnapshot, Snapshot};
use rusqlite::{Connection, OptionalExtension, params};

use crate::session::{SessionRow, head_at, signed};

/// Stores a snapshot in place of the last one; inside a transaction. Does nothing when the log does not have its last
/// record, or the pieces that it builds on are not there.
pub(crate) fn put(conn: &Connection, put: &PutSnapshot) -> rusqlite::Result<()> {
    let Some(row) = SessionRow::find(conn, put.session)? else { return Ok(()) };
    if !has_record(conn, &row, put.head)? {
        return Ok(());
    }
    let Some(mut digests) = kept(conn, row.key, put)? else { return Ok(()) };
    let first = digests.len();
    conn.prepare_cached("DELETE FROM snapshot_pieces WHERE session = ?1 AND n >= ?2")?
        .execute(params![row.key, signed(first as u64)])?;
    let mut insert = conn
        .prepare_cached("INSERT INTO snapshot_pieces (session, n, digest, bytes) VALUES (?1, ?2, ?3, ?4)")?;
    for (n, piece) in (first as u64..).zip(&put.pieces) {
        let digest = onward_port::digest(piece);
        insert.execute(params![row.key, signed(n), digest.0, piece])?;
        digests.push(digest);
    }
    let digest = digest_of(put.version, put.head, &digests, &put.state);
    conn.prepare_cached(
        "INSERT OR REPLACE INTO snapshots (session, version, seq, hash, digest, state)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    )?
    .execute(params![
        row.key,
        put.version,
        signed(put.head.seq.0),
        put.head.hash.0,
        digest.0,
        put.state
    ])?;
    Ok(())
}

/// The stored snapshot, if it is of this version, whole, and of this log.
pub(crate) fn find(
    conn: &Connection,
    session: SessionId,
    version: u32,
) -> rusqlite::Result<Option<Snapshot>> {
    let Some(row) = SessionRow::find(conn, session)? else { return Ok(None) };
    let stored = conn
        .prepare_cached("SELECT seq, hash, digest, state FROM snapshots WHERE session = ?1 AND version = ?2")?
        .query_row(params![row.key, version], |row| {
            Ok((head_at(row, 0)?, Digest(row.get(2)?), row.get::<_, Vec<u8>>(3)?))
        })
        .optional()?;
    let Some((head, digest, state)) = stored else { return Ok(None) };
    if !has_record(conn, &row, head)? {
        return Ok(None);
    }
    let history = conn
        .prepare_cached("SELECT bytes FROM snapshot_pieces WHERE session = ?1 ORDER BY n")?
        .query_map([row.key], |row| row.get(0))?
        .collect::<rusqlite::Result<Vec<Vec<u8>>>>()?;
    let digests: Vec<Digest> = history.iter().map(|piece| onward_port::digest(piece)).collect();
    let whole = digest_of(version, head, &digests, &state) == digest;
    Ok(whole.then_some(Snapshot { head, state, history }))
}

/// After a loss of power the log may have another record there, or none.
fn has_record(conn: &Connection, row: &SessionRow, head: Head) -> rusqlite::Result<bool> {
    if head.seq == Seq(0) || head.seq > row.head.seq {
        return Ok(false);
    }
    Ok(row.hash_at(conn, head.seq).optional()? == Some(head.hash))
}

/// The digests of the pieces that stay; `None` when they are not there.
fn kept(conn: &Connection, key: i64, put: &PutSnapshot) -> rusqlite::Result<Option<Vec<Digest>>> {
    let Some(keep) = put.keep else { return Ok(Some(Vec::new())) };
    let last = conn
        .prepare_cached("SELECT seq, hash FROM snapshots WHERE session = ?1 AND version = ?2")?
        .query_row(params![key, put.version], |row| head_at(row, 0))
        .optional()?;
    if last != Some(keep.head) {
        return Ok(None);
    }
    let digests = conn
        .prepare_cached("SELECT digest FROM snapshot_pieces WHERE session = ?1 AND n < ?2 ORDER BY n")?
        .query_map(params![key, signed(keep.count as u64)], |row| row.get(0).map(Digest))?
        .collect::<rusqlite::Result<Vec<Digest>>>()?;
    Ok((digests.len() == keep.count).then_some(digests))
}

/// Over the key, the pieces and the state, each with its place.
fn digest_of(version: u32, head: Head, pieces: &[Digest], state: &[u8]) -> Digest {
    let key = format!("{version} {} {} {}", head.seq, head.hash, pieces.len());
    let chain =
        pieces.iter().fold(DigestChain::new().with(key.as_bytes()), |chain, piece| chain.with(&piece.0));
    chain.with(state).digest()
}
