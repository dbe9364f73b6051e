//! A process: it lives, freezes and dies at places that the dice choose.
//!
//! A frozen process does nothing until it wakes, and does not know that it was frozen. When it was for longer than its
//! lease, another process may have taken its session in the meantime.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use super::fault::{Fault, Place};
use super::world::{Fate, World, locked};

/// How long a session stays with a process that does not move.
const LEASE: Duration = Duration::from_secs(2);

/// One life of a process.
pub(super) struct Process {
    pub(super) world: Arc<World>,
    frozen: Mutex<Option<Frozen>>,
    dead: CancellationToken,
}

#[derive(Clone, Copy)]
struct Frozen {
    since: Instant,
    until: Instant,
}

impl Process {
    pub(super) fn new(world: &Arc<World>) -> Arc<Self> {
        let process = Self { world: world.clone(), frozen: Mutex::default(), dead: CancellationToken::new() };
        let process = Arc::new(process);
        locked(&world.processes).push(Arc::downgrade(&process));
        process
    }

    /// Comes to a place; never returns when the process dies there.
    pub(super) async fn pass(&self, at: Place) {
        self.breathe().await;
        match self.world.fate(at) {
            Fate::GoesOn => {}
            Fate::Dies => self.die(),
            Fate::Freezes(time) => {
                let since = Instant::now();
                *locked(&self.frozen) = Some(Frozen { since, until: since + time });
            }
        }
        self.breathe().await;
    }

    /// Returns when the process is awake; never when it is dead.
    pub(super) async fn breathe(&self) {
        while let Some(frozen) = self.frozen() {
            sleep_until(frozen.until).await;
        }
        if self.dead.is_cancelled() {
            std::future::pending::<()>().await;
        }
    }

    pub(super) fn die(&self) {
        self.dead.cancel();
    }

    /// Returns when the process is dead.
    pub(super) async fn death(&self) {
        self.dead.cancelled().await;
    }

    /// Whether what it owns is still its own.
    pub(super) fn holds(&self) -> bool {
        if self.dead.is_cancelled() {
            return false;
        }
        match self.frozen() {
            Some(frozen) if frozen.since.elapsed() >= LEASE => {
                self.world.saw(Fault::LeaseLost);
                false
            }
            _ => true,
        }
    }

    fn frozen(&self) -> Option<Frozen> {
        locked(&self.frozen).filter(|frozen| Instant::now() < frozen.until)
    }
}
