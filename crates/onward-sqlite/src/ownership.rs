//! Who owns a session: taking it, giving it back, and telling a living owner from a dead one.

use std::collections::BTreeMap;

use onward_event::{AppendId, Epoch, Event, OwnerAcquired, OwnerReleased, Seq, SessionId, Timestamp};
use onward_port::{LogError, OwnerState, Release};
use rusqlite::{Connection, params};

use crate::append::check_not_ahead;
use crate::draft::Body;
use crate::fault::{Fault, StoreFault, file_error};
use crate::lockfile::{self, LockedFile};
use crate::place::Place;
use crate::request::{Done, Outcome};
use crate::session::{SessionRow, found, signed};

/// The lock file of this process, made when it first takes a session. It is locked until the store is closed.
#[derive(Default)]
pub(crate) struct OwnLock(Option<LockedFile>);

impl OwnLock {
    /// Its name, if it was made.
    pub(crate) fn name(&self) -> Option<&str> {
        self.0.as_ref().map(LockedFile::name)
    }

    fn ensure(&mut self, place: &Place) -> Result<String, LogError> {
        let locks = place.locks();
        if self.0.is_none() {
            // The rare moment to clear away what killed processes left.
            lockfile::sweep(&locks);
            let made =
                LockedFile::create(&locks).map_err(|error| file_error(&error, "a lock file", &locks))?;
            self.0 = Some(made);
        }
        Ok(self.name().unwrap_or_default().to_owned())
    }
}

/// Takes the session for this process, under the next epoch.
pub(crate) fn acquire(
    conn: &Connection,
    place: &Place,
    own: &mut OwnLock,
    session: SessionId,
    owner: &str,
    id: &AppendId,
    at: Timestamp,
) -> Result<Outcome, Fault> {
    let mut row = found(SessionRow::find(conn, session)?, session)?;
    if let Some(done) = acquired(&row, own, id) {
        return Ok(Outcome::Done(done));
    }
    let stale = row.lock.clone();
    if let Some(lock) = &stale
        && is_living(place, own.name(), lock)?
    {
        let owner = row.owner.unwrap_or_default();
        return Err(LogError::Owned { session, owner }.into());
    }
    let lock = own.ensure(place)?;
    row.epoch = Epoch(row.epoch.0.saturating_add(1));
    let event = Event::from(OwnerAcquired { epoch: row.epoch, owner: owner.to_owned() });
    let done = row.extend(conn, at, &[Body::new(event, id, at, Some(row.epoch), None)?])?;
    conn.prepare_cached(
        "UPDATE sessions SET epoch = ?2, owner = ?3, lock = ?4, acquired_by = ?5, released = 0 WHERE key = ?1",
    )?
    .execute(params![row.key, signed(row.epoch.0), owner, lock, id.0])?;
    if let Some(stale) = stale {
        // Also right if this transaction fails: a name whose file is gone means the same as one that nobody holds.
        lockfile::remove_stale(&place.locks().join(stale));
    }
    Ok(Outcome::Done(done))
}

/// Gives the session back. Once given back, giving it back again changes nothing.
pub(crate) fn release(conn: &Connection, own: &OwnLock, release: &Release) -> Result<Outcome, Fault> {
    let Release { session, epoch, seen, ref id, at } = *release;
    let mut row = found(SessionRow::find(conn, session)?, session)?;
    if row.epoch != epoch {
        return Err(LogError::Fenced { session, ours: epoch, current: row.epoch }.into());
    }
    if let Some(done) = released(&row, epoch) {
        return Ok(Outcome::Done(done));
    }
    if row.lock.as_deref() != own.name() {
        return Err(LogError::Io(format!(
            "session {session} is not owned by this process; nothing was written"
        ))
        .into());
    }
    if seen < row.head.seq {
        return Ok(Outcome::Behind);
    }
    check_not_ahead(&row, session, seen)?;
    let event = Event::from(OwnerReleased { epoch });
    let done = row.extend(conn, at, &[Body::new(event, id, at, Some(epoch), None)?])?;
    conn.prepare_cached("UPDATE sessions SET lock = NULL, acquired_by = NULL, released = 1 WHERE key = ?1")?
        .execute(params![row.key])?;
    Ok(Outcome::Done(done))
}

/// What an acquisition whose transaction failed has done.
pub(crate) fn look_up_acquired(
    conn: &Connection,
    own: &OwnLock,
    session: SessionId,
    id: &AppendId,
) -> Result<Option<Done>, StoreFault> {
    Ok(SessionRow::find(conn, session)?.and_then(|row| acquired(&row, own, id)))
}

/// What a release whose transaction failed has done.
pub(crate) fn look_up_released(
    conn: &Connection,
    session: SessionId,
    epoch: Epoch,
) -> Result<Option<Done>, StoreFault> {
    Ok(SessionRow::find(conn, session)?.and_then(|row| released(&row, epoch)))
}

/// Tells the owners in a list of sessions apart, looking at each lock file once.
pub(crate) struct OwnerProbe<'a> {
    place: &'a Place,
    seen: BTreeMap<String, bool>,
}

impl<'a> OwnerProbe<'a> {
    pub(crate) fn new(place: &'a Place) -> Self {
        Self { place, seen: BTreeMap::new() }
    }

    /// The state of a session whose row names this owner and this lock.
    pub(crate) fn state(
        &mut self,
        owner: Option<String>,
        lock: Option<String>,
    ) -> Result<OwnerState, LogError> {
        let Some(lock) = lock else { return Ok(OwnerState::Free) };
        let owner = owner.unwrap_or_default();
        let held = match self.seen.get(&lock) {
            Some(held) => *held,
            None => {
                // An own lock is seen like any other: a second open of a locked file cannot lock it.
                let held = is_living(self.place, None, &lock)?;
                self.seen.insert(lock, held);
                held
            }
        };
        Ok(if held { OwnerState::Held { owner } } else { OwnerState::Orphaned { owner } })
    }
}

fn acquired(row: &SessionRow, own: &OwnLock, id: &AppendId) -> Option<Done> {
    let is_ours = row.lock.is_some() && row.lock.as_deref() == own.name();
    (is_ours && row.acquired_by.as_deref() == Some(&id.0)).then_some(Done {
        first: row.head.seq,
        head: row.head,
        epoch: row.epoch,
        fresh: false,
    })
}

fn released(row: &SessionRow, epoch: Epoch) -> Option<Done> {
    (row.epoch == epoch && row.lock.is_none()).then_some(Done {
        first: Seq(0),
        head: row.head,
        epoch,
        fresh: false,
    })
}

/// Whether a living process holds this lock.
pub(crate) fn is_living(place: &Place, own: Option<&str>, lock: &str) -> Result<bool, LogError> {
    if own == Some(lock) {
        return Ok(true);
    }
    let path = place.locks().join(lock);
    if !lockfile::is_name(lock) {
        return Err(LogError::Corrupt(format!(
            "`{lock}` in {} is no name of a lock file",
            place.database().display()
        )));
    }
    lockfile::is_held(&path).map_err(|error| file_error(&error, "looking at a lock file", &path))
}
