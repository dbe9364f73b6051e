//! Side streams: deltas and progress wait here for a moment, so that a fast stream is a few commits a second.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use onward_event::SessionId;
use rusqlite::{Connection, params};

use crate::request::SidePut;
use crate::session::signed;

/// How long a piece waits at most before it is written: half of what a reader elsewhere is promised.
const WAIT: Duration = Duration::from_millis(50);

/// So much text is not kept waiting.
const WAITING_BYTES: usize = 1024 * 1024;

/// How many ended scopes are remembered, so that a piece that comes late does not bring its scope back.
const ENDED: usize = 128;

/// The pieces that wait.
#[derive(Default)]
pub(crate) struct SideBuffer {
    waiting: Vec<SidePut>,
    bytes: usize,
    due: Option<Instant>,
    ended: VecDeque<(SessionId, String)>,
}

impl SideBuffer {
    /// Takes a piece, unless its scope has ended.
    pub(crate) fn put(&mut self, put: SidePut, now: Instant) {
        if self.ended.iter().any(|(session, scope)| *session == put.session && *scope == put.scope) {
            return;
        }
        self.bytes += put.chunk.text.len();
        self.waiting.push(put);
        let due = if self.bytes >= WAITING_BYTES { now } else { now + WAIT };
        self.due = Some(self.due.map_or(due, |earlier| earlier.min(due)));
    }

    /// A scope has ended: what waits for it is dropped, as is what still comes.
    pub(crate) fn end(&mut self, session: SessionId, scope: &str) {
        self.waiting.retain(|put| put.session != session || put.scope != scope);
        if self.ended.len() == ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back((session, scope.to_owned()));
    }

    /// When the oldest piece must be written.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Whether there is nothing to write.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Writes everything that waits. A session that does not exist has no side streams: its pieces are dropped.
    pub(crate) fn write(&self, conn: &Connection) -> rusqlite::Result<()> {
        let mut insert = conn.prepare_cached(
            "INSERT INTO side (session, scope, n, text) SELECT key, ?2, ?3, ?4 FROM sessions WHERE id = ?1
             ON CONFLICT DO NOTHING",
        )?;
        for SidePut { session, scope, chunk } in &self.waiting {
            insert.execute(params![session.to_string(), scope, signed(chunk.n), chunk.text])?;
        }
        Ok(())
    }

    /// Forgets what waits: it was written, or could not be, which does no harm.
    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
        self.bytes = 0;
        self.due = None;
    }
}
