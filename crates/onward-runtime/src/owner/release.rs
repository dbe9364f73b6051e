//! Giving a session back: only when the owner has seen everything that it leaves behind.

use onward_event::{AppendId, Epoch, MessageId, Seq, SessionId};
use onward_port::{LogError, Release, Released};

use super::flight::Flight;
use super::{Owner, OwnerError};
use crate::ports::Ports;

/// How often an owner that leaves whatever comes looks at the log again before it lets go with its process.
const LOOKS: usize = 8;

/// What came of giving a session back.
pub enum GivenBack {
    /// Nobody owns it any more, or what is under way holds it until this process ends.
    Done,
    /// Somebody has said something since the owner last looked. The session is still owned: [`Owner::drive`] goes on.
    GoOn(Box<Owner>),
}

impl Owner {
    /// Gives ownership back. Whatever is in flight is dropped first, as a crash would; call it when quiet. Jobs belong to
    /// the session, not to its owner: they go on. What somebody said since the owner came to rest keeps it from leaving.
    ///
    /// # Errors
    /// When the log cannot be written; ownership then ends with the process.
    pub async fn release(mut self) -> Result<GivenBack, OwnerError> {
        if self.holds() {
            return Ok(GivenBack::Done);
        }
        match self.ports.log.release(release(&self.ports, self.id, self.epoch, self.session.head())).await? {
            Released::Free => Ok(GivenBack::Done),
            Released::Behind => Ok(GivenBack::GoOn(Box::new(self))),
        }
    }

    /// As [`Owner::release`], and leaves whatever was said: it waits for the next owner.
    ///
    /// # Errors
    /// As [`Owner::release`].
    pub async fn abandon(mut self) -> Result<(), OwnerError> {
        if !self.holds() {
            leave(&self.ports, self.id, self.epoch).await?;
        }
        Ok(())
    }

    /// Drops what is in flight; whether that keeps the session from being given back.
    fn holds(&mut self) -> bool {
        if self.flight.rests(|_| false) {
            self.flight = Flight::default();
        }
        let holds = !self.flight.is_empty();
        self.flight = Flight::default();
        holds
    }
}

/// Gives a session back without a look at what it says.
pub(super) async fn leave(ports: &Ports, id: SessionId, epoch: Epoch) -> Result<(), LogError> {
    for _ in 0..LOOKS {
        let head = ports.log.head(id).await?;
        if ports.log.release(release(ports, id, epoch, head.seq)).await? == Released::Free {
            break;
        }
    }
    Ok(())
}

fn release(ports: &Ports, session: SessionId, epoch: Epoch, seen: Seq) -> Release {
    let id = AppendId(MessageId::from_bits(ports.ids.next()).to_string());
    Release { session, epoch, seen, id, at: ports.clock.now() }
}
