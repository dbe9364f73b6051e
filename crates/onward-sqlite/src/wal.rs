//! Keeps the write-ahead log short without letting an append pay for it.
//!
//! The writer looks at the log after it has answered. A long log is moved into the database at once, a shorter one
//! when nothing is being written. Only a reader that holds on to an old state for long can keep the log from starting
//! again at its beginning; no reader of this crate does, and when some other program does, the log is asked to start
//! again each time it has grown by as much again.

use std::time::Duration;

use rusqlite::Connection;

use crate::connect::{LOCK_PATIENCE, WriteConnection};

/// A log of so many pages (4 MiB) is moved right away, and then starts again at its beginning: writing over blocks that the
/// file has costs a sync a fraction of what it costs to make the file longer.
const LONG_PAGES: i64 = 1_000;

/// A log of so many pages (64 MiB) is not only moved: readers are waited for, so that it can start again.
const TOO_LONG_PAGES: i64 = 16_000;

/// A log of so many pages is moved when the store is idle.
const IDLE_PAGES: i64 = 250;

/// After so long without a write the store is idle.
const IDLE: Duration = Duration::from_millis(500);

/// The log is looked at after this many commits.
const LOOK_EVERY: u32 = 16;

/// How long a checkpoint waits for readers: longer than reading any log takes. Appends wait for it, too.
const READER_PATIENCE: Duration = Duration::from_secs(1);

/// Decides when to move the log.
#[derive(Default)]
pub(crate) struct WalKeeper {
    commits: u32,
    reset_from: i64,
}

struct Length {
    pages: i64,
    moved: i64,
}

impl WalKeeper {
    /// How long the writer may wait for work before the store counts as idle; `None` when there is nothing to do then.
    pub(crate) fn idle_after(&self) -> Option<Duration> {
        (self.commits > 0).then_some(IDLE)
    }

    /// To be called after the answers to a group were given.
    pub(crate) fn after_commit(&mut self, write: &WriteConnection) {
        self.commits = self.commits.saturating_add(1);
        if self.commits.is_multiple_of(LOOK_EVERY) {
            self.look(write, LONG_PAGES);
        }
    }

    /// To be called when nothing came for as long as [`Self::idle_after`] said.
    pub(crate) fn idle(&mut self, write: &WriteConnection) {
        self.commits = 0;
        self.look(write, IDLE_PAGES);
    }

    /// A failed checkpoint is no failed append: everything is still in the log, and what is wrong with the disk will
    /// be told by the next append that needs it.
    fn look(&mut self, write: &WriteConnection, limit: i64) {
        let Ok(length) = checkpoint(&write.conn, "NOOP") else { return };
        if length.pages < TOO_LONG_PAGES {
            self.reset_from = TOO_LONG_PAGES;
        }
        if length.pages >= self.reset_from.max(TOO_LONG_PAGES) {
            self.reset_from = length.pages.saturating_add(LONG_PAGES);
            write.patience.set(READER_PATIENCE);
            let _ = checkpoint(&write.conn, "RESTART");
            write.patience.set(LOCK_PATIENCE);
        } else if length.pages.saturating_sub(length.moved) >= limit {
            let _ = checkpoint(&write.conn, "PASSIVE");
        }
    }
}

/// Moves the whole log into the database and cuts it off; whether that was possible.
pub(crate) fn empty(write: &WriteConnection) -> bool {
    write.patience.set(READER_PATIENCE);
    let emptied = checkpoint(&write.conn, "TRUNCATE");
    write.patience.set(LOCK_PATIENCE);
    emptied.is_ok_and(|length| length.pages == 0)
}

fn checkpoint(conn: &Connection, mode: &str) -> rusqlite::Result<Length> {
    conn.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?
        .query_row([], |row| Ok(Length { pages: row.get(1)?, moved: row.get(2)? }))
}
