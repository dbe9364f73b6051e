//! What a supervisor has ready before it knows its command: the pipe for its output, and a launcher that has set up what
//! the containment alone decides.
//!
//! It may wait for long, and the world does not. What must be true when a command starts is therefore found out then: the
//! protected names are remembered, and closed, when it is told to run ([`crate::protect`]), never before; and what the
//! launcher has relied upon is looked at again. If anything differs, that launcher is ended and another one made, so that
//! a command never runs in a view of the machine that is older than its own beginning.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd as _, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::tree;
use crate::launch::order::{Jail, LaunchOrder};
use crate::launch::sight::Sight;
use crate::protect::Nested;
use crate::start::Launched;

/// The mounts that this process sees: who polls this file is told when they change.
const MOUNTS: &str = "/proc/self/mountinfo";

/// Ready for a command.
pub(super) struct Ready {
    /// Where the command's output comes from.
    pub(super) reader: PipeReader,
    /// Where it goes.
    pub(super) writer: PipeWriter,
    /// Absent when containment was waived. With it the protected names in the folders of the workspace: what has changed
    /// since is looked at again.
    pub(super) contained: Option<(Containing, Nested)>,
}

/// A containment, with a launcher that waits for its order, if there is one.
pub(super) struct Containing {
    pub(super) jail: Jail,
    waiting: Option<Waiting>,
}

/// A launcher that waits, and what it relies upon.
struct Waiting {
    launched: Launched,
    sight: Sight,
    mounts: File,
}

impl Ready {
    /// Gets ready. If no launcher can be made there is none: when one is needed, there will be words for that.
    ///
    /// # Errors
    /// When there is no pipe.
    pub(super) fn new(jail: Option<Jail>) -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        rustix::fs::fcntl_setfl(&reader, rustix::fs::OFlags::NONBLOCK)?;
        let contained = jail.map(|jail| {
            let waiting = Waiting::new(&jail, &writer).ok();
            // The launcher does its part meanwhile.
            let nested = Nested::look(&jail);
            (Containing { jail, waiting }, nested)
        });
        Ok(Self { reader, writer, contained })
    }

    /// Returns when there is something to read from `told`, or its end. Mounts that change meanwhile end the launcher: its
    /// copy of one that was taken away would keep a disk from being removed.
    pub(super) fn wait_for(&mut self, told: BorrowedFd<'_>) {
        let Some((contained, _)) = &mut self.contained else { return };
        while let Some(waiting) = &contained.waiting {
            match waiting.hears(told) {
                Ok(Heard::Told) => return,
                Ok(Heard::Mounts) => contained.waiting.take().map_or((), Waiting::end),
                Err(Errno::INTR) => {}
                // What cannot be watched is looked at when it is used.
                Err(_) => return,
            }
        }
    }
}

impl Containing {
    /// Gives the order to the launcher that waits, if the world is as it was when that got ready, and else to a new one;
    /// for that it waits `most`.
    ///
    /// # Errors
    /// Why nothing was run.
    pub(super) fn launch(
        &mut self,
        order: &LaunchOrder,
        output: &PipeWriter,
        most: Duration,
    ) -> Result<Launched, String> {
        let waiting = self.waiting.take().and_then(|waiting| waiting.if_current(&self.jail));
        let mut waiting = match waiting {
            Some(waiting) => waiting,
            None => Waiting::new(&self.jail, output)
                .map_err(|error| format!("the launcher could not be started: {error}"))?,
        };
        match waiting.launched.tell(order, most) {
            Ok(()) => Ok(waiting.launched),
            Err(why) => {
                waiting.end();
                Err(why)
            }
        }
    }
}

enum Heard {
    Told,
    Mounts,
}

impl Waiting {
    fn new(jail: &Jail, output: &PipeWriter) -> io::Result<Self> {
        // Both before the launcher sets anything up: a change while it does so must not be missed.
        let mounts = File::open(MOUNTS)?;
        let sight = Sight::look(jail);
        let launched = Launched::fork(jail, &sight, output)?;
        Ok(Self { launched, sight, mounts })
    }

    fn hears(&self, told: BorrowedFd<'_>) -> Result<Heard, Errno> {
        let mut fds =
            [PollFd::from_borrowed_fd(told, PollFlags::IN), PollFd::new(&self.mounts, PollFlags::PRI)];
        poll(&mut fds, None)?;
        Ok(if fds[0].revents().is_empty() { Heard::Mounts } else { Heard::Told })
    }

    /// Itself, if all is as it was seen; else it is ended.
    fn if_current(mut self, jail: &Jail) -> Option<Self> {
        let mut mounts = [PollFd::from_borrowed_fd(self.mounts.as_fd(), PollFlags::PRI)];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let same_mounts = poll(&mut mounts, Some(&now)) == Ok(0);
        if same_mounts && !self.launched.has_failed() && Sight::look(jail) == self.sight {
            return Some(self);
        }
        self.end();
        None
    }

    /// Ends it, with all that it has set up. Nothing else descends from this process yet.
    fn end(self) {
        tree::kill_all(self.launched.main, &mut None);
    }
}
