//! One group of requests, one transaction.
//!
//! A request that is refused undoes only itself: the group is then done again with a savepoint for each. A failure of the store takes the whole group down; what
//! happens then is in `resolve`.

use onward_event::{Seq, SessionId};
use onward_port::LogError;
use rusqlite::Connection;

use crate::fault::{Fault, StoreFault, told_again};
use crate::ownership::{self, OwnLock};
use crate::place::Place;
use crate::request::{Done, Job, Outcome, Request};
use crate::session::{SessionRow, found};
use crate::side::SideBuffer;
use crate::writer::{SyncMode, Writer};
use crate::{append, aside, mark};

/// The answers to a group, in its order.
type Answers = Vec<Result<Outcome, LogError>>;

/// A transaction that failed.
pub(crate) enum Broken {
    /// Before anything was written.
    Unbegun(StoreFault),
    /// There is no connection, and none could be had.
    Unopened(LogError),
    /// Somewhere between its first statement and the end of its commit.
    Midway(StoreFault),
}

impl Writer {
    /// Commits the group and answers every request of it.
    pub(crate) fn commit(&mut self, jobs: Vec<Job>) {
        let failed = match self.transact(&jobs) {
            Ok(answers) => {
                jobs.into_iter().zip(answers).for_each(|(job, answer)| deliver(job, answer));
                Vec::new()
            }
            Err(Broken::Unopened(error)) => {
                jobs.into_iter().for_each(|job| deliver(job, Err(told_again(&error))));
                Vec::new()
            }
            Err(Broken::Unbegun(fault)) => {
                if !fault.is_busy() {
                    self.write = None;
                }
                fail(jobs, &fault, &self.place);
                Vec::new()
            }
            Err(Broken::Midway(fault)) => self.resolve(jobs, &fault),
        };
        for job in failed {
            self.commit(vec![job]);
        }
        if let Some(write) = &self.write {
            self.wal.after_commit(write);
        }
    }

    /// Runs the group in one transaction, with the side streams that wait. Nothing is answered yet: until the commit
    /// is through, even a conflict is only a guess.
    pub(crate) fn transact(&mut self, jobs: &[Job]) -> Result<Answers, Broken> {
        self.connection().map_err(Broken::Unopened)?;
        let wants_sync = jobs.iter().any(|job| self.wants_sync(&job.request));
        let mode = if wants_sync { SyncMode::Sync } else { SyncMode::Commit };
        self.set_mode(mode).map_err(Broken::Unbegun)?;
        let Self { place, write: Some(write), own, sides, .. } = self else {
            return Err(Broken::Unopened(LogError::Io("the database is not open".into())));
        };
        if wants_sync && !write.is_in_place(place) {
            let path = place.database();
            let what = format!(
                "{} was removed or replaced while it was open; nothing more is recorded",
                path.display()
            );
            return Err(Broken::Unopened(LogError::Corrupt(what)));
        }
        let conn = &write.conn;
        run(conn, "BEGIN IMMEDIATE").map_err(Broken::Unbegun)?;
        let result = (|| {
            let answers = match all(conn, place, own, jobs)? {
                Some(answers) => answers,
                None => each(conn, place, own, jobs)?,
            };
            end_sides(sides, jobs, &answers);
            let wrote_sides = write_sides(sides, conn)?;
            let wrote = wrote_sides || answers.iter().any(is_fresh);
            // Without a change there would be nothing to sync.
            let synced = match wants_sync && (wrote || answers.iter().any(is_repeated)) {
                true => Some(mark::raise(conn)?),
                false => None,
            };
            run(conn, "COMMIT")?;
            Ok((answers, synced))
        })();
        match result {
            Ok((answers, synced)) => {
                self.sides.clear();
                if let (Some(count), Some(last)) = (synced, heads(jobs, &answers).next_back()) {
                    write.mark.put(count, last);
                }
                self.note(jobs, &answers, synced.is_some());
                Ok(answers)
            }
            Err(fault) => {
                roll_back(&write.conn);
                Err(Broken::Midway(fault))
            }
        }
    }

    fn wants_sync(&self, request: &Request) -> bool {
        match request {
            Request::Sync { session, seq } => !self.marks.covers(*session, *seq),
            other => other.wants_sync(),
        }
    }

    fn note(&mut self, jobs: &[Job], answers: &Answers, synced: bool) {
        self.marks.committed(heads(jobs, answers), synced);
        heads(jobs, answers).for_each(|(session, seq)| self.watch.advance(session, seq));
    }
}

/// The sessions of what was done, and where they end.
fn heads<'a>(
    jobs: &'a [Job],
    answers: &'a Answers,
) -> impl DoubleEndedIterator<Item = (SessionId, Seq)> + 'a {
    jobs.iter().zip(answers).filter_map(|(job, answer)| match answer {
        Ok(Outcome::Done(done)) => Some((job.request.session(), done.head.seq)),
        _ => None,
    })
}

/// Every request, if none is refused. Otherwise nothing was done, in a new transaction: a savepoint for each costs a sixth
/// of the writer's time, and is hardly ever needed.
fn all(
    conn: &Connection,
    place: &Place,
    own: &mut OwnLock,
    jobs: &[Job],
) -> Result<Option<Answers>, StoreFault> {
    let mut answers = Vec::with_capacity(jobs.len());
    for job in jobs {
        match apply(conn, place, own, &job.request) {
            Ok(outcome) => answers.push(Ok(outcome)),
            Err(Fault::Store(fault)) => return Err(fault),
            Err(Fault::Refused(_)) => {
                run(conn, "ROLLBACK")?;
                run(conn, "BEGIN IMMEDIATE")?;
                return Ok(None);
            }
        }
    }
    Ok(Some(answers))
}

/// Every request, whatever becomes of the others.
fn each(conn: &Connection, place: &Place, own: &mut OwnLock, jobs: &[Job]) -> Result<Answers, StoreFault> {
    jobs.iter().map(|job| one(conn, place, own, &job.request)).collect()
}

/// One request in a savepoint of its own: refused, it leaves nothing.
fn one(
    conn: &Connection,
    place: &Place,
    own: &mut OwnLock,
    request: &Request,
) -> Result<Result<Outcome, LogError>, StoreFault> {
    run(conn, "SAVEPOINT one")?;
    let answer = match apply(conn, place, own, request) {
        Ok(outcome) => Ok(outcome),
        Err(Fault::Refused(error)) => {
            run(conn, "ROLLBACK TO one")?;
            Err(error)
        }
        Err(Fault::Store(fault)) => return Err(fault),
    };
    run(conn, "RELEASE one")?;
    Ok(answer)
}

fn apply(conn: &Connection, place: &Place, own: &mut OwnLock, request: &Request) -> Result<Outcome, Fault> {
    match request {
        Request::Append(draft) => append::append(conn, draft, own.name()),
        Request::Create(draft, setup) => append::create(conn, draft, setup),
        Request::Acquire { session, owner, id, at } => {
            ownership::acquire(conn, place, own, *session, owner, id, *at)
        }
        Request::Release(release) => ownership::release(conn, own, release),
        Request::SetAside(draft, cutting) => aside::cut(conn, place, own.name(), draft, *cutting),
        Request::Sync { session, seq } => {
            let row = found(SessionRow::find(conn, *session)?, *session)?;
            if *seq > row.head.seq {
                return Err(LogError::Io(format!(
                    "session {session} ends at record {}; there is no record {seq} to put on disk",
                    row.head.seq
                ))
                .into());
            }
            Ok(Outcome::Done(Done { first: *seq, head: row.head, epoch: row.epoch, fresh: false }))
        }
    }
}

fn end_sides(sides: &mut SideBuffer, jobs: &[Job], answers: &Answers) {
    for (job, answer) in jobs.iter().zip(answers) {
        if let Ok(Outcome::Done(_)) = answer {
            job.request.ends_side().iter().for_each(|scope| sides.end(job.request.session(), scope));
        }
    }
}

fn write_sides(sides: &SideBuffer, conn: &Connection) -> Result<bool, StoreFault> {
    if !sides.is_empty() {
        sides.write(conn)?;
    }
    Ok(!sides.is_empty())
}

fn is_fresh(answer: &Result<Outcome, LogError>) -> bool {
    matches!(answer, Ok(Outcome::Done(done)) if done.fresh)
}

/// Done earlier, and perhaps without a sync: the answer says that it is on disk all the same.
fn is_repeated(answer: &Result<Outcome, LogError>) -> bool {
    matches!(answer, Ok(Outcome::Done(done)) if !done.fresh)
}

/// Runs a statement that takes and returns nothing.
pub(crate) fn run(conn: &Connection, sql: &str) -> Result<(), StoreFault> {
    conn.prepare_cached(sql)?.execute([])?;
    Ok(())
}

/// Ends a transaction that failed.
pub(crate) fn roll_back(conn: &Connection) {
    if !conn.is_autocommit() {
        // If this fails too, closing the connection does it.
        let _ = conn.execute_batch("ROLLBACK");
    }
}

/// Tells each that it was not done.
pub(crate) fn fail(jobs: Vec<Job>, fault: &StoreFault, place: &Place) {
    for job in jobs {
        let error = fault.error(place, &job.request.what());
        deliver(job, Err(error));
    }
}

/// Answers.
pub(crate) fn deliver(job: Job, answer: Result<Outcome, LogError>) {
    // Whoever asked may have stopped waiting; what was done stays done.
    let _ = job.reply.send(answer);
}
