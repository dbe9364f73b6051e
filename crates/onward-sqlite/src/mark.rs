//! The mark: a witness beside the database that says how far the store has been on disk.
//!
//! After a kill SQLite takes its write-ahead log up to the first frame that is not whole, and calls the rest a tail that
//! was never committed. A log that was cut or damaged looks the same, so what was acknowledged could vanish in silence.
//! Therefore every synced group raises a counter in the database (`meta`, `syncs`), and once the sync has returned the
//! counter is written here, too. A database that counts less than its mark has lost records.
//!
//! - The mark itself is never synced: after a loss of power it may be older than the database, or not there, which says
//!   nothing. It is never newer than what is on disk, because it is written after the sync.
//! - Two slots are written in turn, each with a checksum: of a torn write, the slot before is left.
//! - It names the database (`meta`, `store`): beside another one, it says nothing.
//! - Whoever removes it, or copies a store without it, loses the witness and nothing else; the next sync makes a new one.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};

use onward_event::{Seq, SessionId};
use onward_port::{LogError, digest};
use rusqlite::Connection;

use crate::fault::file_error;
use crate::lockfile::NO_LINK;
use crate::place::Place;
use crate::session::unsigned;

/// What one slot holds: magic, store, count, session, record, and the first bytes of the digest of all that.
const SLOT: usize = 64;
const SUMMED: usize = 48;
const MAGIC: &[u8; 8] = b"onwdmark";

/// How far a store has been on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    /// Which store.
    store: i64,
    /// How many synced groups it has had.
    pub(crate) count: u64,
    /// A record of the last group.
    last: (SessionId, Seq),
}

/// The mark of a store that is open for writing.
#[derive(Debug, Default)]
pub(crate) struct MarkFile {
    /// Absent when it cannot be had. Then there is no witness, which is no reason to refuse the work.
    file: Option<File>,
    store: i64,
}

impl Mark {
    /// What stands in the file, if anything that is whole does.
    pub(crate) fn read(place: &Place) -> Option<Self> {
        let file = OpenOptions::new().read(true).custom_flags(NO_LINK).open(place.mark()).ok()?;
        let slot = |n: u64| {
            let mut bytes = [0; SLOT];
            file.read_exact_at(&mut bytes, n * SLOT as u64).ok()?;
            Self::from_bytes(&bytes)
        };
        [slot(0), slot(1)].into_iter().flatten().max_by_key(|mark| mark.count)
    }

    /// Whether the database has all that was on disk. The mark must have been read before.
    ///
    /// # Errors
    /// [`LogError::Cut`] when it has not.
    pub(crate) fn verify(self, counted: Counted, place: &Place) -> Result<(), LogError> {
        if counted.store != self.store || counted.count >= self.count {
            return Ok(());
        }
        let (session, seq) = self.last;
        Err(LogError::Cut(format!(
            "{} has only the first {} of {} groups of records that were put on disk, as onward.db-mark counts them: the \
             end of its write-ahead log was cut off or damaged, or an old copy took its place. The last record that was \
             there was {seq} of {session}",
            place.database().display(),
            counted.count,
            self.count,
        )))
    }

    /// The error for a database that has not even tables any more.
    pub(crate) fn all_gone(self, place: &Place) -> LogError {
        LogError::Cut(format!(
            "{} has none of {} groups of records that were put on disk, as onward.db-mark counts them: its write-ahead log \
             was removed, cut off or damaged",
            place.database().display(),
            self.count,
        ))
    }

    fn to_bytes(self) -> [u8; SLOT] {
        let mut bytes = [0; SLOT];
        let (session, seq) = self.last;
        let parts: [&[u8]; 5] = [
            MAGIC,
            &self.store.to_le_bytes(),
            &self.count.to_le_bytes(),
            &session.bits().to_le_bytes(),
            &seq.0.to_le_bytes(),
        ];
        let (summed, sum) = bytes.split_at_mut(SUMMED);
        summed.iter_mut().zip(parts.concat()).for_each(|(to, from)| *to = from);
        sum.iter_mut().zip(digest(summed).0).for_each(|(to, from)| *to = from);
        bytes
    }

    fn from_bytes(bytes: &[u8; SLOT]) -> Option<Self> {
        let at = |from: usize| bytes.get(from..from + 8)?.try_into().ok();
        let mark = Self {
            store: i64::from_le_bytes(at(8)?),
            count: u64::from_le_bytes(at(16)?),
            last: (
                SessionId::from_bits(u128::from_le_bytes(bytes.get(24..40)?.try_into().ok()?)),
                Seq(u64::from_le_bytes(at(40)?)),
            ),
        };
        (mark.to_bytes() == *bytes).then_some(mark)
    }
}

impl MarkFile {
    /// The mark of the store that counts like this.
    pub(crate) fn open(place: &Place, counted: Counted) -> Self {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600).custom_flags(NO_LINK);
        Self { file: options.open(place.mark()).ok(), store: counted.store }
    }

    /// Notes that the group of this number, which ends with this record, is on disk. A few microseconds: nothing is synced.
    pub(crate) fn put(&self, count: u64, last: (SessionId, Seq)) {
        let Some(file) = &self.file else { return };
        let bytes = Mark { store: self.store, count, last }.to_bytes();
        // A mark that could not be written is an old one: the group is on disk all the same.
        let _ = file.write_all_at(&bytes, count % 2 * SLOT as u64);
    }
}

/// What a database says of itself.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    store: i64,
    count: u64,
}

impl Counted {
    /// Reads it.
    pub(crate) fn read(conn: &Connection) -> rusqlite::Result<Self> {
        let value = |key: &str| {
            let row = conn.query_row("SELECT value FROM meta WHERE key = ?1", [key], |row| row.get(0));
            row.or_else(|error| match error {
                rusqlite::Error::QueryReturnedNoRows => Ok(0),
                error => Err(error),
            })
        };
        Ok(Self { store: value("store")?, count: unsigned(value("syncs")?) })
    }
}

/// Raises the database's counter; the new value. So every synced group has something to put on disk.
pub(crate) fn raise(conn: &Connection) -> rusqlite::Result<u64> {
    conn.prepare_cached("UPDATE meta SET value = value + 1 WHERE key = 'syncs' RETURNING value")?
        .query_row([], |row| row.get(0))
        .map(unsigned)
}

/// Lets the database count on from its mark: what is missing is missed no more.
pub(crate) fn accept(conn: &Connection, mark: Mark) -> rusqlite::Result<()> {
    let count = i64::try_from(mark.count).unwrap_or(i64::MAX);
    conn.execute("UPDATE meta SET value = ?1 WHERE key = 'syncs' AND value < ?1", [count]).map(drop)
}

/// Copies what is left of a log that was cut, before SQLite writes over what it does not know to be there.
///
/// # Errors
/// When the copy cannot be made; nothing was changed then.
pub(crate) fn keep_log(place: &Place) -> Result<(), LogError> {
    let kept = place.cut_wal();
    match std::fs::copy(place.wal(), &kept) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(file_error(&error, "a copy of the log", &kept)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place() -> (tempfile::TempDir, Place) {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path().to_owned());
        (folder, place)
    }

    fn last(n: u64) -> (SessionId, Seq) {
        (SessionId::from_bits(5), Seq(n))
    }

    #[test]
    fn the_highest_mark_that_is_whole_counts() {
        let (_folder, place) = place();
        assert_eq!(Mark::read(&place), None);
        let file = MarkFile::open(&place, Counted { store: -3, count: 0 });
        assert_eq!(Mark::read(&place), None, "an empty file says nothing");
        (1..=7).for_each(|n| file.put(n, last(n)));
        assert_eq!(Mark::read(&place), Some(Mark { store: -3, count: 7, last: last(7) }));
        // Another process was slower with an earlier one.
        file.put(5, last(5));
        assert_eq!(Mark::read(&place).unwrap().count, 6);
        let whole = std::fs::read(place.mark()).unwrap();
        assert_eq!(whole.len(), 2 * SLOT);
        for at in 0..SLOT {
            let mut torn = whole.clone();
            torn[at] ^= 0x40;
            std::fs::write(place.mark(), &torn).unwrap();
            assert_eq!(Mark::read(&place).unwrap().count, 5, "byte {at}");
        }
        std::fs::write(place.mark(), [0xff; 2 * SLOT]).unwrap();
        assert_eq!(Mark::read(&place), None);
    }

    #[test]
    fn only_a_database_of_the_same_store_that_counts_less_is_cut() {
        let (_folder, place) = place();
        let mark = Mark { store: 9, count: 4, last: last(2) };
        for (store, count, cut) in [(9, 3, true), (9, 4, false), (9, 5, false), (8, 0, false)] {
            assert_eq!(mark.verify(Counted { store, count }, &place).is_err(), cut, "{store} {count}");
        }
    }
}
