//! What becomes of a group whose transaction failed.
//!
//! Nobody knows then what reached the disk. The connection is opened again and each request is looked up by its id
//! before it is answered. Those that did not happen are tried again one by one, so that a request that does not fit on
//! the disk fails alone.

use onward_port::LogError;

use crate::batch::{deliver, fail, roll_back, run};
use crate::fault::StoreFault;
use crate::ownership;
use crate::request::{Done, Job, Outcome, Request};
use crate::writer::{SyncMode, Writer};
use crate::{append, mark, wal};

impl Writer {
    /// Finds out what became of a group whose transaction failed, and answers what is clear. Returns what is to be
    /// tried again.
    pub(crate) fn resolve(&mut self, jobs: Vec<Job>, fault: &StoreFault) -> Vec<Job> {
        self.write = None;
        // Side streams are lost without harm; an append must not fail because of them.
        let had_sides = !self.sides.is_empty();
        self.sides.clear();
        if let Err(error) = self.connection() {
            let why = format!("{error}, after a failed write");
            jobs.into_iter().for_each(|job| deliver(job, Err(LogError::Ambiguous(why.clone()))));
            return Vec::new();
        }
        if fault.may_have_left_bytes()
            && let Err(then) = self.settle()
        {
            jobs.into_iter().for_each(|job| deliver(job, Err(fault.ambiguous(&self.place, &then))));
            return Vec::new();
        }
        let mut undone = Vec::new();
        for job in jobs {
            match self.look_up(&job.request) {
                Ok(Some(done)) => deliver(job, Ok(Outcome::Done(done))),
                Ok(None) => undone.push(job),
                Err(then) => deliver(job, Err(fault.ambiguous(&self.place, &then))),
            }
        }
        if undone.len() > 1 || had_sides {
            return undone;
        }
        fail(undone, fault, &self.place);
        Vec::new()
    }

    /// A failed sync leaves the records of the group behind the end of the log, where recovery after a crash would
    /// take them for committed; and what was committed before may not be on disk although the next sync succeeds.
    /// Moving the log into the database and emptying it settles both: what is there afterwards is there.
    fn settle(&mut self) -> Result<(), StoreFault> {
        if self.write.as_ref().is_none_or(wal::empty) {
            return Ok(());
        }
        // A reader is in the way. A small synced commit at least takes the place of what was left behind.
        self.commit_nothing()
    }

    /// A synced commit that changes nothing of meaning.
    fn commit_nothing(&mut self) -> Result<(), StoreFault> {
        self.set_mode(SyncMode::Sync)?;
        let Some(write) = &self.write else { return Ok(()) };
        run(&write.conn, "BEGIN IMMEDIATE")?;
        let raised = mark::raise(&write.conn).map_err(StoreFault::from);
        let committed = raised.and_then(|_| run(&write.conn, "COMMIT"));
        if committed.is_err() {
            roll_back(&write.conn);
        }
        committed
    }

    fn look_up(&mut self, request: &Request) -> Result<Option<Done>, StoreFault> {
        let Some(write) = &self.write else { return Ok(None) };
        let conn = &write.conn;
        let done = match request {
            Request::Append(draft) | Request::SetAside(draft, _) => append::look_up(conn, draft)?,
            Request::Create(draft, _) => append::created(conn, draft)?,
            Request::Acquire { session, id, .. } => {
                ownership::look_up_acquired(conn, &self.own, *session, id)?
            }
            Request::Release(release) => ownership::look_up_released(conn, release.session, release.epoch)?,
            Request::Sync { .. } => None,
        };
        if done.is_some() && request.wants_sync() {
            // It is in the log; whether it is on disk is what failed.
            self.commit_nothing()?;
        }
        Ok(done)
    }
}
