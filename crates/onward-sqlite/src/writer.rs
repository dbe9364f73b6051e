//! The writer thread: takes what is queued, commits it as one group, answers, and looks after the write-ahead log.

use std::sync::Arc;
use std::time::{Duration, Instant};

use onward_port::{LogError, PutSnapshot};

use crate::batch::{roll_back, run};
use crate::connect::{Opening, WriteConnection, open_writer};
use crate::fault::StoreFault;
use crate::ownership::OwnLock;
use crate::place::Place;
use crate::queue::{Drained, Queue};
use crate::request::{Job, Order};
use crate::side::SideBuffer;
use crate::snapshot;
use crate::wal::WalKeeper;
use crate::watch::Watch;
use crate::watermark::Watermarks;

/// How many orders may wait for the writer; also the largest group.
pub(crate) const QUEUE: usize = 1024;

/// Everything that the thread owns.
pub(crate) struct Writer {
    pub(crate) place: Place,
    pub(crate) max_bytes: Option<u64>,
    /// Absent after it failed and could not be opened again.
    pub(crate) write: Option<WriteConnection>,
    pub(crate) mode: SyncMode,
    pub(crate) own: OwnLock,
    pub(crate) sides: SideBuffer,
    pub(crate) wal: WalKeeper,
    pub(crate) marks: Arc<Watermarks>,
    pub(crate) watch: Arc<Watch>,
}

/// What a commit does; a setting of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyncMode {
    /// It is visible to all, and survives the death of the process.
    Commit,
    /// It is on disk.
    Sync,
}

impl Writer {
    /// A writer on an open connection.
    pub(crate) fn new(
        place: Place,
        max_bytes: Option<u64>,
        write: WriteConnection,
        marks: Arc<Watermarks>,
        watch: Arc<Watch>,
    ) -> Self {
        Self {
            place,
            max_bytes,
            write: Some(write),
            mode: SyncMode::Commit,
            own: OwnLock::default(),
            sides: SideBuffer::default(),
            wal: WalKeeper::default(),
            marks,
            watch,
        }
    }

    /// The thread's body: until the queue is closed and empty.
    pub(crate) fn run(mut self, orders: &Arc<Queue<Order>>) {
        // Whatever ends this thread, nobody is left waiting for it.
        let _abandon = Abandon(orders);
        loop {
            match orders.drain(QUEUE, self.patience(Instant::now())) {
                Drained::Items(items) => {
                    let (jobs, snapshots) = self.sort(items);
                    if !jobs.is_empty() {
                        self.commit(jobs);
                    }
                    self.flush_due_sides();
                    snapshots.iter().for_each(|put| self.put_snapshot(put));
                }
                Drained::Nothing if self.sides.due().is_some() => self.flush_due_sides(),
                Drained::Nothing => self.idle(),
                Drained::Closed => {
                    self.flush_sides();
                    return;
                }
            }
        }
    }

    /// The open connection; opens it if an earlier failure left none.
    pub(crate) fn connection(&mut self) -> Result<&WriteConnection, LogError> {
        let write = match self.write.take() {
            Some(write) => write,
            None => {
                self.mode = SyncMode::Commit;
                open_writer(&self.place, Opening::Again, self.max_bytes)?
            }
        };
        Ok(self.write.insert(write))
    }

    /// The setting takes effect when the statement is prepared, so it cannot be kept prepared; it is changed only
    /// when it differs.
    pub(crate) fn set_mode(&mut self, mode: SyncMode) -> Result<(), StoreFault> {
        let Some(write) = &self.write else { return Ok(()) };
        if self.mode != mode {
            write.conn.execute_batch(match mode {
                SyncMode::Commit => "PRAGMA synchronous = NORMAL",
                SyncMode::Sync => "PRAGMA synchronous = FULL",
            })?;
            self.mode = mode;
        }
        Ok(())
    }

    fn sort(&mut self, items: impl IntoIterator<Item = Order>) -> (Vec<Job>, Vec<PutSnapshot>) {
        let now = Instant::now();
        let (mut jobs, mut snapshots) = (Vec::new(), Vec::new());
        for item in items {
            match item {
                Order::Write(job) => jobs.push(job),
                Order::Side(put) => self.sides.put(put, now),
                Order::Snapshot(put) => snapshots.push(*put),
            }
        }
        (jobs, snapshots)
    }

    /// In a transaction of its own, after everybody was answered. It is only a cache: whatever goes wrong is undone and
    /// forgotten, and if the disk is to blame, the next append says so.
    fn put_snapshot(&mut self, put: &PutSnapshot) {
        if self.connection().is_err() || self.set_mode(SyncMode::Commit).is_err() {
            return;
        }
        let Some(write) = &self.write else { return };
        let stored = run(&write.conn, "BEGIN IMMEDIATE")
            .and_then(|()| snapshot::put(&write.conn, put).map_err(StoreFault::from))
            .and_then(|()| run(&write.conn, "COMMIT"));
        if stored.is_err() {
            roll_back(&write.conn);
        }
        self.wal.after_commit(write);
    }

    fn patience(&self, now: Instant) -> Option<Duration> {
        match self.sides.due() {
            Some(due) => Some(due.saturating_duration_since(now)),
            None => self.wal.idle_after(),
        }
    }

    fn flush_due_sides(&mut self) {
        if self.sides.due().is_some_and(|due| due <= Instant::now()) {
            self.flush_sides();
        }
    }

    fn flush_sides(&mut self) {
        if !self.sides.is_empty() {
            // Side streams are lost without harm; if the disk is to blame, the next append says so.
            if self.transact(&[]).is_err() {
                self.write = None;
            }
        }
        self.sides.clear();
    }

    fn idle(&mut self) {
        if let Some(write) = &self.write {
            self.wal.idle(write);
        }
    }
}

struct Abandon<'a>(&'a Arc<Queue<Order>>);

impl Drop for Abandon<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}
