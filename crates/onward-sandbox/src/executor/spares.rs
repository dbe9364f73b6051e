//! Supervisors that are started before they have a command, while the one before runs and the model speaks.
//!
//! A spare costs a process or three for as long as it waits, so there is one for each containment that was asked for of
//! late, of a few, and none for long. Whatever goes wrong with one is not told to anybody: a command that finds no spare
//! starts a supervisor of its own, and that says what is wrong.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::{AbortHandle, JoinHandle};

use super::supervisor::{Start, Supervisor};
use crate::spec::Prepare;

/// Spares that wait at the same time, each for another containment.
const MOST: usize = 4;
/// How long one waits before it is given up.
const KEPT: Duration = Duration::from_secs(300);

/// The spares of an executor. They end with it.
#[derive(Debug, Default)]
pub(super) struct Spares {
    shelf: Mutex<Shelf>,
}

#[derive(Debug, Default)]
struct Shelf {
    /// The oldest first.
    spares: Vec<Spare>,
    /// Counts all that were ever made.
    made: u64,
}

#[derive(Debug)]
struct Spare {
    number: u64,
    prepare: Prepare,
    /// It is started by a thread that may wait: starting a program takes a millisecond.
    supervisor: JoinHandle<io::Result<Supervisor>>,
    _expiry: Expiry,
}

/// Gives a spare up in time. There is a spare a step and minutes to wait, so that it must not stay when that is used.
#[derive(Debug)]
struct Expiry(AbortHandle);

impl Drop for Expiry {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Spares {
    /// Makes a spare for a command that is contained like this, unless there is one. Needs a runtime; without, there are
    /// none.
    pub(super) fn put_one_by(self: &Arc<Self>, prepare: Prepare, start: &Start) {
        let Ok(runtime) = Handle::try_current() else { return };
        let mut shelf = self.shelf();
        if shelf.spares.iter().any(|spare| spare.prepare == prepare) {
            return;
        }
        if shelf.spares.len() >= MOST {
            shelf.spares.remove(0);
        }
        shelf.made += 1;
        let number = shelf.made;
        let (start, wanted) = (start.clone(), prepare.clone());
        let supervisor = runtime.spawn_blocking(move || start.spare(&wanted));
        let expiry = Expiry(runtime.spawn(expire(Arc::downgrade(self), number)).abort_handle());
        shelf.spares.push(Spare { number, prepare, supervisor, _expiry: expiry });
    }

    /// The spare for a command that is contained like this, if there is one.
    pub(super) async fn take(&self, prepare: &Prepare) -> Option<Supervisor> {
        let spare = self.taken(prepare)?;
        let mut supervisor = spare.supervisor.await.ok()?.ok()?;
        (!supervisor.is_gone()).then_some(supervisor)
    }

    fn taken(&self, prepare: &Prepare) -> Option<Spare> {
        let mut shelf = self.shelf();
        let at = shelf.spares.iter().position(|spare| spare.prepare == *prepare)?;
        Some(shelf.spares.remove(at))
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        // Nothing panics while it is held; a shelf is whole after each line.
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn expire(spares: Weak<Spares>, number: u64) {
    tokio::time::sleep(KEPT).await;
    if let Some(spares) = spares.upgrade() {
        spares.shelf().spares.retain(|spare| spare.number != number);
    }
}
