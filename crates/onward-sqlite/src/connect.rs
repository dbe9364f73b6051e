//! Opens the database file, for writing and for reading, with the settings that the crate's page explains.

use std::fs::OpenOptions;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use onward_port::LogError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use crate::fault::{StoreFault, file_error, refuses_writes};
use crate::mark::{Counted, Mark, MarkFile};
use crate::place::Place;
use crate::{mark, schema};

/// The oldest SQLite that is used, as `sqlite3_libversion_number` counts: up to 3.51.2, a checkpoint that resets the
/// write-ahead log while another connection writes can leave pages of the old log in the database and corrupt it.
pub const MIN_SQLITE: i32 = 3_051_003;

/// How long a write waits for the write lock of another process.
pub(crate) const LOCK_PATIENCE: Duration = Duration::from_secs(10);

/// How often it tries. SQLite's own back-off waits up to 100 ms between tries, which is a step's whole overhead.
pub(crate) const LOCK_RETRY: Duration = Duration::from_millis(2);

const PAGE_BYTES: u64 = 4096;

/// After a log that was longer than this is reset, the file is cut down to it.
const WAL_FILE_BYTES: i64 = 32 * 1024 * 1024;

/// Page caches in KiB; the minus sign makes the unit KiB instead of pages.
const WRITER_CACHE: i32 = -4096;
const READER_CACHE: i32 = -1024;

/// Prepared statements that are kept; the writer has about twenty.
const STATEMENTS: usize = 48;

/// The connection that writes, and how long it waits for locks.
pub(crate) struct WriteConnection {
    pub(crate) conn: Connection,
    pub(crate) patience: Patience,
    /// Which file it has open, by device and number; unknown where the system does not say.
    file: Option<(u64, u64)>,
    pub(crate) mark: MarkFile,
}

impl WriteConnection {
    /// Whether the file that is open is still the one that has the database's name: what is written to one that was
    /// removed or replaced is on no disk that anybody will ever read.
    pub(crate) fn is_in_place(&self, place: &Place) -> bool {
        place.vfs().is_some() || self.file.is_none() || self.file == file_at(place)
    }
}

fn file_at(place: &Place) -> Option<(u64, u64)> {
    std::fs::metadata(place.database()).ok().map(|metadata| (metadata.dev(), metadata.ino()))
}

/// How long a connection waits for a lock; can be changed between statements.
#[derive(Clone)]
pub(crate) struct Patience(Arc<AtomicU32>);

impl Patience {
    fn new() -> Self {
        Self(Arc::new(AtomicU32::new(tries(LOCK_PATIENCE))))
    }

    pub(crate) fn set(&self, patience: Duration) {
        self.0.store(tries(patience), Ordering::Relaxed);
    }

    fn install(&self, conn: &mut Connection) -> rusqlite::Result<()> {
        let limit = self.0.clone();
        conn.busy_handler(Some(move |tried: i32| {
            std::thread::sleep(LOCK_RETRY);
            tried.unsigned_abs() < limit.load(Ordering::Relaxed)
        }))
    }
}

/// Whether a missing store is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// The file and its tables are made when there are none.
    First,
    /// As the first time, and records that are missing from the end are given up.
    Accepting,
    /// They were there a moment ago: a new file in their place would hide that they are gone.
    Again,
}

/// Opens for writing.
pub(crate) fn open_writer(
    place: &Place,
    opening: Opening,
    max_bytes: Option<u64>,
) -> Result<WriteConnection, LogError> {
    refuse_old_sqlite()?;
    place.refuse_strangers()?;
    refuse_lost_database(place)?;
    let path = place.database();
    if let Some(why) = refuses_writes(place.folder()).or_else(|| refuses_writes(&path)) {
        return Err(LogError::ReadOnly { path: path.display().to_string(), why });
    }
    if opening == Opening::First && place.vfs().is_none() {
        make_private(&path).map_err(|error| file_error(&error, "the database", &path))?;
    }
    let opening_error = |error: rusqlite::Error| StoreFault::from(error).error(place, "opening the store");
    // Before the database is asked: another process may be raising both.
    let mark = Mark::read(place);
    let mut write = write_connection(place, opening).map_err(opening_error)?;
    match opening {
        Opening::First | Opening::Accepting => {
            if schema::is_new(&write.conn, place)? {
                if let Some(mark) = mark {
                    give_up(&write.conn, place, opening, mark.all_gone(place))?;
                }
                // A connection takes the form of the file from its first bytes, before it undoes what a loss of power
                // left there. A new one finds nothing, and so nothing of that gets into the new store.
                write = write_connection(place, opening).map_err(opening_error)?;
            }
            schema::check_or_create(&write.conn, place)?;
        }
        Opening::Again => schema::check(&write.conn, place)?,
    }
    if let (Err(missing), Some(mark)) = (verify_mark(&write.conn, mark, place), mark) {
        give_up(&write.conn, place, opening, missing)?;
        mark::accept(&write.conn, mark).map_err(opening_error)?;
    }
    write.mark = MarkFile::open(place, Counted::read(&write.conn).map_err(opening_error)?);
    set_up_writing(&write.conn, max_bytes).map_err(opening_error)?;
    Ok(write)
}

/// Records are missing. That is an error, and what is left of the log stays as it is, for whoever can make more of it; or it
/// is accepted, and a copy of the log stays.
fn give_up(conn: &Connection, place: &Place, opening: Opening, missing: LogError) -> Result<(), LogError> {
    if opening == Opening::Accepting && matches!(missing, LogError::Cut(_)) {
        return mark::keep_log(place);
    }
    let kept = conn.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true);
    kept.map_err(|error| StoreFault::from(error).error(place, "opening the store"))?;
    Err(missing)
}

/// Opens for reading what a writer has made.
pub(crate) fn open_reader(place: &Place) -> Result<Connection, LogError> {
    read_connection(place, Reading::Shared)
        .map_err(|error| StoreFault::from(error).error(place, "opening the store for reading"))
}

/// Opens for reading a store that may lie where nothing can be written.
pub(crate) fn open_reader_anywhere(place: &Place) -> Result<Connection, LogError> {
    refuse_old_sqlite()?;
    place.refuse_strangers()?;
    let shared = read_connection(place, Reading::Shared).and_then(|conn| {
        schema::probe(&conn)?;
        Ok(conn)
    });
    let conn = match shared {
        Ok(conn) => conn,
        // Without a log beside it, the file is whole and nobody is writing: it can be read as it lies there.
        Err(_) if has_no_log(place) && refuses_writes(place.folder()).is_some() => {
            read_connection(place, Reading::Immutable)
                .map_err(|error| StoreFault::from(error).error(place, "opening the store for reading"))?
        }
        Err(error) => return Err(StoreFault::from(error).error(place, "opening the store for reading")),
    };
    match Mark::read(place) {
        Some(mark) if schema::is_new(&conn, place)? => Err(mark.all_gone(place)),
        _ => schema::check(&conn, place),
    }?;
    Ok(conn)
}

/// Whether the database has all that was on disk. The mark must have been read before the connection was opened.
///
/// # Errors
/// [`LogError::Cut`] when they are.
pub(crate) fn verify_mark(conn: &Connection, mark: Option<Mark>, place: &Place) -> Result<(), LogError> {
    let Some(mark) = mark else { return Ok(()) };
    let counted =
        Counted::read(conn).map_err(|error| StoreFault::from(error).error(place, "opening the store"))?;
    mark.verify(counted, place)
}

fn write_connection(place: &Place, opening: Opening) -> rusqlite::Result<WriteConnection> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, opening != Opening::Again);
    let mut conn = connect(place, &place.database(), flags)?;
    let patience = Patience::new();
    patience.install(&mut conn)?;
    settle_down(&conn, WRITER_CACHE)?;
    let file = file_at(place);
    Ok(WriteConnection { conn, patience, file, mark: MarkFile::default() })
}

fn set_up_writing(conn: &Connection, max_bytes: Option<u64>) -> rusqlite::Result<()> {
    conn.pragma_update(None, "synchronous", "NORMAL")?;
    conn.pragma_update(None, "wal_autocheckpoint", 0)?;
    conn.pragma_update(None, "journal_size_limit", WAL_FILE_BYTES)?;
    if let Some(max) = max_bytes {
        let pages = (max / PAGE_BYTES).clamp(1, u64::from(u32::MAX - 1));
        conn.pragma_update(None, "max_page_count", pages.cast_signed())?;
    }
    Ok(())
}

enum Reading {
    Shared,
    Immutable,
}

fn read_connection(place: &Place, reading: Reading) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut conn = match reading {
        Reading::Shared => connect(place, &place.database(), flags)?,
        Reading::Immutable => {
            let uri = format!("file:{}?immutable=1", percent_encoded(&place.database()));
            connect(place, Path::new(&uri), flags | OpenFlags::SQLITE_OPEN_URI)?
        }
    };
    Patience::new().install(&mut conn)?;
    settle_down(&conn, READER_CACHE)?;
    Ok(conn)
}

fn connect(place: &Place, file: &Path, flags: OpenFlags) -> rusqlite::Result<Connection> {
    match place.vfs() {
        None => Connection::open_with_flags(file, flags),
        Some(vfs) => Connection::open_with_flags_and_vfs(file, flags, vfs),
    }
}

fn settle_down(conn: &Connection, cache: i32) -> rusqlite::Result<()> {
    conn.set_prepared_statement_cache_capacity(STATEMENTS);
    conn.pragma_update(None, "mmap_size", 0)?;
    conn.pragma_update(None, "temp_store", "MEMORY")?;
    conn.pragma_update(None, "trusted_schema", false)?;
    conn.pragma_update(None, "cache_size", cache)
}

fn refuse_old_sqlite() -> Result<(), LogError> {
    if rusqlite::version_number() >= MIN_SQLITE {
        return Ok(());
    }
    Err(LogError::Io(format!(
        "SQLite {} can corrupt a store; nothing was opened. At least 3.51.3 is needed",
        rusqlite::version()
    )))
}

/// SQLite takes a missing database with a log beside it for a new one, and throws the log away.
fn refuse_lost_database(place: &Place) -> Result<(), LogError> {
    let size = |path: &Path| std::fs::metadata(path).map_or(0, |meta| meta.len());
    if size(&place.database()) == 0 && size(&place.wal()) > 0 {
        return Err(LogError::Corrupt(format!(
            "{} is missing or empty, but its log {} is not; nothing was changed. Restore both from a copy",
            place.database().display(),
            place.wal().display()
        )));
    }
    if size(&place.database()) == 0 && Mark::read(place).is_some() {
        return Err(LogError::Corrupt(format!(
            "{} is missing or empty, but {} says that it had records; nothing was changed. Restore it from a copy, or \
             remove the mark as well to begin anew",
            place.database().display(),
            place.mark().display()
        )));
    }
    Ok(())
}

/// Makes the file if there is none, for its user's eyes only; SQLite gives its log the same permissions. An empty file
/// is what SQLite itself would begin with.
fn make_private(path: &Path) -> std::io::Result<()> {
    OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path).map(drop)
}

fn has_no_log(place: &Place) -> bool {
    std::fs::metadata(place.wal()).map_or(true, |meta| meta.len() == 0)
}

fn tries(patience: Duration) -> u32 {
    u32::try_from(patience.as_millis() / LOCK_RETRY.as_millis()).unwrap_or(u32::MAX)
}

fn percent_encoded(path: &Path) -> String {
    use std::fmt::Write as _;
    use std::os::unix::ffi::OsStrExt as _;
    let mut out = String::new();
    for byte in path.as_os_str().as_bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-".contains(byte) {
            out.push(char::from(*byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bundled_sqlite_is_new_enough() {
        assert!(rusqlite::version_number() >= MIN_SQLITE, "{}", rusqlite::version());
    }

    #[test]
    fn a_path_with_signs_survives_as_uri() {
        assert_eq!(percent_encoded(Path::new("/a b/c?d#e%.db")), "/a%20b/c%3Fd%23e%25.db");
    }
}
