//! Records that a person gives up: they are taken out of their log, and kept in a file beside it.
//!
//! First the file is on disk, with every byte of them; then one transaction takes them out and says so in the log, with what
//! the caller wants to be told. A process that dies in between leaves a file too many, and a log as it was.
//!
//! ```text
//! set-aside/ses_…-from-22.jsonl     {"session":"ses_…","seq":22,"hash":"…","text":"…"}, or "hex" where it is no text
//! ```

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use onward_event::{Epoch, Seq, SessionId};
use onward_port::{Append, Head, LogError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde_json::{Value, json};

use crate::append;
use crate::blob_files::{make_folder, sync_folder};
use crate::draft::Draft;
use crate::fault::{Fault, file_error};
use crate::ownership::is_living;
use crate::place::Place;
use crate::request::{Cutting, Outcome, Request};
use crate::session::{SessionRow, found, signed, unsigned};
use crate::store::SqliteStore;

/// How often a name for the file is looked for: each is taken only when it is free.
const NAMES: u32 = 1_000;

/// What is to be given up of a session.
#[derive(Debug)]
pub struct SetAside {
    /// The last record that stays.
    pub keep: Head,
    /// The latest epoch up to there.
    pub epoch: Epoch,
    /// What the log says about it; a client's append, to the session that is cut.
    pub told: Append,
}

/// What was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAside {
    /// How many records.
    pub records: usize,
    /// The file that has them; absent when there were none.
    pub file: Option<PathBuf>,
}

impl SqliteStore {
    /// Takes every record behind the last one that stays out of the log, and keeps it in a file.
    ///
    /// # Errors
    /// [`LogError::Owned`] while a living process owns the session; otherwise when it cannot be done. The log is as it was
    /// then.
    pub async fn set_aside(&self, set: SetAside) -> Result<KeptAside, LogError> {
        let SetAside { keep, epoch, told } = set;
        let session = told.session;
        let draft = Draft::new(told)?;
        let kept = self.parts.pool.run(move |reader| {
            let place = reader.place().clone();
            let rows = reader.with(|conn| rows_behind(conn, session, keep.seq))?;
            let file = match rows.is_empty() {
                true => None,
                false => Some(write(&place, session, keep.seq.next(), &rows)?),
            };
            Ok(KeptAside { records: rows.len(), file })
        });
        let kept = kept.await?;
        let cutting = Cutting { keep, epoch, kept: kept.records };
        self.ask(Request::SetAside(draft, cutting)).await?;
        Ok(kept)
    }
}

/// Cuts the log behind the record that stays, and appends what is told; inside a transaction.
pub(crate) fn cut(
    conn: &Connection,
    place: &Place,
    own: Option<&str>,
    draft: &Draft,
    cutting: Cutting,
) -> Result<Outcome, Fault> {
    let session = draft.session;
    let mut row = found(SessionRow::find(conn, session)?, session)?;
    if let Some(lock) = &row.lock
        && is_living(place, own, lock)?
    {
        let owner = row.owner.unwrap_or_default();
        return Err(LogError::Owned { session, owner }.into());
    }
    let Cutting { keep, epoch, kept } = cutting;
    let there = row.hash_at(conn, keep.seq).optional()?;
    let taken = conn
        .prepare_cached("DELETE FROM records WHERE session = ?1 AND seq > ?2")?
        .execute(params![row.key, signed(keep.seq.0)])?;
    if there != Some(keep.hash) || taken != kept {
        let what = format!("session {session} was changed meanwhile; nothing was set aside. Try again");
        return Err(LogError::Io(what).into());
    }
    // What was appended under these keys is not in the log any more.
    conn.prepare_cached("DELETE FROM clients WHERE session = ?1 AND last > ?2")?
        .execute(params![row.key, signed(keep.seq.0)])?;
    conn.prepare_cached("UPDATE sessions SET epoch = ?2 WHERE key = ?1")?
        .execute(params![row.key, signed(epoch.0)])?;
    (row.head, row.epoch) = (keep, epoch);
    Ok(Outcome::Done(append::write(conn, &mut row, draft)?))
}

/// The rows of records behind this one, whatever they hold.
fn rows_behind(conn: &Connection, session: SessionId, keep: Seq) -> Result<Vec<Value>, Fault> {
    let row = found(SessionRow::find(conn, session)?, session)?;
    let mut select = conn.prepare_cached(
        "SELECT seq, hash, bytes FROM records WHERE session = ?1 AND seq > ?2 ORDER BY seq",
    )?;
    let rows = select.query_map(params![row.key, signed(keep.0)], |row| {
        let seq = unsigned(row.get(0)?);
        let hash = hex(bytes_of(row.get_ref(1)?));
        let bytes = bytes_of(row.get_ref(2)?);
        Ok(match std::str::from_utf8(bytes) {
            Ok(text) => json!({ "session": session, "seq": seq, "hash": hash, "text": text }),
            Err(_) => json!({ "session": session, "seq": seq, "hash": hash, "hex": hex(bytes) }),
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The tables are strict, so nothing else is ever there.
fn bytes_of(value: ValueRef<'_>) -> &[u8] {
    match value {
        ValueRef::Blob(bytes) | ValueRef::Text(bytes) => bytes,
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => &[],
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the rows to a file that was not there, and puts it on disk.
fn write(place: &Place, session: SessionId, first: Seq, rows: &[Value]) -> Result<PathBuf, LogError> {
    let folder = place.set_aside();
    let failed = |error: std::io::Error| file_error(&error, "a file of records that are set aside", &folder);
    make_folder(&folder).map_err(failed)?;
    let (mut file, path) = create(&folder, &format!("{session}-from-{first}")).map_err(failed)?;
    let text: String = rows.iter().map(|row| format!("{row}\n")).collect();
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
    let synced = written.and_then(|()| [&folder, place.folder()].into_iter().try_for_each(sync_folder));
    if let Err(error) = synced {
        // The records are where they were.
        let _ = std::fs::remove_file(&path);
        return Err(failed(error));
    }
    Ok(path)
}

fn create(folder: &Path, stem: &str) -> std::io::Result<(File, PathBuf)> {
    for n in 1..NAMES {
        let name = if n == 1 { format!("{stem}.jsonl") } else { format!("{stem}-{n}.jsonl") };
        let path = folder.join(name);
        match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}
