//! The tables, and how a store is told from any other file.

use std::time::Instant;

use onward_port::LogError;
use rusqlite::{Connection, ErrorCode, TransactionBehavior};

use crate::connect::{LOCK_PATIENCE, LOCK_RETRY};
use crate::fault::{StoreFault, file_error};
use crate::place::Place;

/// The version of the tables that this binary reads and writes; in `user_version`.
const SCHEMA_VERSION: i64 = 3;

/// Marks the file as a store: `onwd`.
const APPLICATION_ID: i64 = 0x6f6e_7764;

const TABLES: &str = "
    CREATE TABLE sessions (
        key INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        created INTEGER NOT NULL,
        updated INTEGER NOT NULL,
        seq INTEGER NOT NULL,
        hash BLOB NOT NULL,
        epoch INTEGER NOT NULL,
        owner TEXT,
        lock TEXT,
        acquired_by TEXT,
        released INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE setup (session INTEGER PRIMARY KEY, spec TEXT NOT NULL, workspace TEXT NOT NULL) STRICT;
    CREATE TABLE records (
        session INTEGER NOT NULL, seq INTEGER NOT NULL, bytes BLOB NOT NULL, hash BLOB NOT NULL,
        UNIQUE (session, seq)
    ) STRICT;
    CREATE TABLE clients (
        session INTEGER NOT NULL, key TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
        PRIMARY KEY (session, key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE blobs (hash BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, bytes BLOB) STRICT;
    CREATE TABLE side (
        session INTEGER NOT NULL, scope TEXT NOT NULL, n INTEGER NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (session, scope, n)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    INSERT INTO meta VALUES ('syncs', 0);
";

/// What version 2 has more than version 1.
const TABLES_2: &str = "
    CREATE TABLE snapshots (
        session INTEGER PRIMARY KEY, version INTEGER NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL,
        digest BLOB NOT NULL, state BLOB NOT NULL
    ) STRICT;
    CREATE TABLE snapshot_pieces (
        session INTEGER NOT NULL, n INTEGER NOT NULL, digest BLOB NOT NULL, bytes BLOB NOT NULL,
        PRIMARY KEY (session, n)
    ) STRICT;
";

/// What version 3 has more, beside records that lie in the order of their arrival (in older stores they are clustered by
/// their key, which is read and written in the same words): a name of its own for each store, by which its mark knows it.
const TABLES_3: &str = "INSERT OR IGNORE INTO meta VALUES ('store', random());";

/// What a database file says about itself.
#[derive(Clone, Copy)]
pub(crate) struct Stamp {
    application: i64,
    version: i64,
    tables: i64,
}

/// Reads what the file says about itself.
pub(crate) fn probe(conn: &Connection) -> rusqlite::Result<Stamp> {
    Ok(Stamp {
        application: conn.pragma_query_value(None, "application_id", |row| row.get(0))?,
        version: conn.pragma_query_value(None, "user_version", |row| row.get(0))?,
        tables: conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?,
    })
}

/// Makes sure that this is a store of a version that this binary knows.
pub(crate) fn check(conn: &Connection, place: &Place) -> Result<(), LogError> {
    let stamp = probe(conn).map_err(|error| opening(place, error))?;
    if stamp.is_empty() {
        return Err(LogError::Io(format!("{} holds no store", place.database().display())));
    }
    stamp.verify(place)
}

/// Whether there are no tables yet. Finishes what a making that was cut off has left, which may be to undo it.
pub(crate) fn is_new(conn: &Connection, place: &Place) -> Result<bool, LogError> {
    Ok(probe(conn).map_err(|error| opening(place, error))?.is_empty())
}

/// As [`check`]; makes the tables when the file is new.
pub(crate) fn check_or_create(conn: &Connection, place: &Place) -> Result<(), LogError> {
    let stamp = probe(conn).map_err(|error| opening(place, error))?;
    if stamp.is_empty() {
        sync_folders(place)?;
        create_patiently(conn).map_err(|error| opening(place, error))?;
    }
    let stamp = probe(conn).map_err(|error| opening(place, error))?;
    stamp.verify(place)?;
    match stamp.version < SCHEMA_VERSION {
        true => migrate(conn).map_err(|error| opening(place, error)),
        false => Ok(()),
    }
}

impl Stamp {
    fn is_empty(self) -> bool {
        self.application == 0 && self.version == 0 && self.tables == 0
    }

    fn verify(self, place: &Place) -> Result<(), LogError> {
        let path = place.database();
        if self.application != APPLICATION_ID {
            return Err(LogError::Corrupt(format!(
                "{} is a database, but not a store of onward; nothing was changed",
                path.display()
            )));
        }
        if self.version > SCHEMA_VERSION {
            return Err(LogError::Io(format!(
                "{} was written by a newer version (its tables are of version {}, this binary knows up to \
                 {SCHEMA_VERSION}); nothing was changed. Use the newer binary",
                path.display(),
                self.version
            )));
        }
        Ok(())
    }
}

/// Of two who switch one new file to WAL at the same moment, SQLite refuses both without waiting, because each holds
/// what the other waits for. Each lets go and tries again.
fn create_patiently(conn: &Connection) -> rusqlite::Result<()> {
    let start = Instant::now();
    loop {
        match create(conn) {
            Err(error) if is_busy(&error) && start.elapsed() < LOCK_PATIENCE => {
                std::thread::sleep(LOCK_RETRY);
            }
            made => return made,
        }
    }
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Two processes may get here at once: the switch to WAL and the tables are each made by whoever comes first.
///
/// The switch is journalled in the old way, and that it is committed is the absence of the journal. `EXTRA` puts that on
/// disk before anything is in the log. Otherwise a loss of power could bring the journal back, which empties the
/// database again, and a second one while it does so would leave a log without a database: a store that is refused.
fn create(conn: &Connection) -> rusqlite::Result<()> {
    conn.pragma_update(None, "synchronous", "EXTRA")?;
    conn.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    let tx = rusqlite::Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    if probe(&tx)?.is_empty() {
        tx.execute_batch(TABLES)?;
        tx.execute_batch(TABLES_2)?;
        tx.execute_batch(TABLES_3)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        tx.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    tx.commit()
}

/// Brings an older store up to this version: only by what is new, so that processes of an older version that have it
/// open go on undisturbed. Whoever comes first does it.
fn migrate(conn: &Connection) -> rusqlite::Result<()> {
    let tx = rusqlite::Transaction::new_unchecked(conn, TransactionBehavior::Immediate)?;
    let version = probe(&tx)?.version;
    if version < 2 {
        tx.execute_batch(TABLES_2)?;
    }
    if version < 3 {
        tx.execute_batch(TABLES_3)?;
        tx.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    }
    tx.commit()
}

/// The folder's name must be on disk before anything in it counts as being there; so before there are tables, because
/// whoever finds some asks no further. The names of its own files SQLite puts there.
fn sync_folders(place: &Place) -> Result<(), LogError> {
    for folder in [Some(place.folder()), place.folder().parent()].into_iter().flatten() {
        let synced = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        synced.map_err(|error| file_error(&error, "the new store", folder))?;
    }
    Ok(())
}

fn opening(place: &Place, error: rusqlite::Error) -> LogError {
    StoreFault::from(error).error(place, "opening the store")
}
