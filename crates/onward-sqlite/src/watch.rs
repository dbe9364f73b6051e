//! Tells who waits for a session that its log has grown: at once when this process appended, and within a moment when
//! another did.
//!
//! One thread asks the database on behalf of all who wait, and sleeps when nobody does.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use onward_event::{Seq, SessionId};
use rusqlite::Connection;
use tokio::sync::watch;

use crate::reader::Reader;
use crate::session::SessionRow;
use crate::sync::lock;

/// How often the database is asked whether another process has written.
const POLL: Duration = Duration::from_millis(25);

/// The heads that somebody waits for.
#[derive(Default)]
pub(crate) struct Watch {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    heads: BTreeMap<SessionId, watch::Sender<Seq>>,
    /// A session was added whose head is not known yet.
    fresh: bool,
    closed: bool,
}

impl Watch {
    /// Returns when the session's log reaches beyond `after`; early when that cannot be found out.
    pub(crate) async fn beyond(&self, session: SessionId, after: Seq) {
        let Some(mut head) = self.subscribe(session) else { return };
        // The sender goes away when the store is closed or cannot be read: whoever waits finds out by reading.
        let _ = head.wait_for(|head| *head > after).await;
    }

    /// This process has appended.
    pub(crate) fn advance(&self, session: SessionId, seq: Seq) {
        if let Some(head) = lock(&self.state).heads.get(&session) {
            raise(head, seq);
        }
    }

    /// Ends the thread and lets everybody go.
    pub(crate) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        state.heads.clear();
        self.wake.notify_all();
    }

    fn subscribe(&self, session: SessionId) -> Option<watch::Receiver<Seq>> {
        let mut state = lock(&self.state);
        if state.closed {
            return None;
        }
        if let Some(head) = state.heads.get(&session) {
            return Some(head.subscribe());
        }
        let (head, receiver) = watch::channel(Seq(0));
        state.heads.insert(session, head);
        state.fresh = true;
        self.wake.notify_all();
        Some(receiver)
    }

    /// Sleeps until it is time to ask; which sessions to ask for, and whether some of them are new. `None` at the end.
    fn next(&self) -> Option<(Vec<SessionId>, bool)> {
        let mut state = lock(&self.state);
        state = self
            .wake
            .wait_timeout_while(state, POLL, |state| !state.closed && !state.fresh)
            .unwrap_or_else(PoisonError::into_inner)
            .0;
        state.heads.retain(|_, head| head.receiver_count() > 0);
        state = self
            .wake
            .wait_while(state, |state| !state.closed && state.heads.is_empty())
            .unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return None;
        }
        let fresh = std::mem::take(&mut state.fresh);
        Some((state.heads.keys().copied().collect(), fresh))
    }

    fn give_up(&self) {
        lock(&self.state).heads.clear();
    }
}

/// The thread's body.
pub(crate) fn run(watch: &Arc<Watch>, mut reader: Reader) {
    let mut version = None;
    while let Some((sessions, fresh)) = watch.next() {
        let polled = reader.with(|conn| poll(watch, conn, &sessions, fresh, &mut version));
        if polled.is_err() {
            // A new connection counts its versions anew.
            version = None;
            std::thread::sleep(POLL);
            watch.give_up();
        }
    }
}

fn poll(
    watch: &Watch,
    conn: &Connection,
    sessions: &[SessionId],
    fresh: bool,
    version: &mut Option<i64>,
) -> Result<(), crate::fault::Fault> {
    let now: i64 = conn.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
    if *version == Some(now) && !fresh {
        return Ok(());
    }
    for session in sessions {
        if let Some(row) = SessionRow::find(conn, *session)? {
            watch.advance(*session, row.head.seq);
        }
    }
    *version = Some(now);
    Ok(())
}

fn raise(head: &watch::Sender<Seq>, seq: Seq) {
    head.send_if_modified(|head| {
        let higher = seq > *head;
        *head = seq.max(*head);
        higher
    });
}
