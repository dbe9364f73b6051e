//! Starting a launcher, and hearing from it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, IntoRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use onward_event::Tier;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::launch;
use crate::launch::channel::{Report, receive, send};
use crate::launch::order::{Jail, LaunchOrder};
use crate::launch::sight::Sight;
use crate::sys;

/// The word that makes a program the launcher of a command: see [`crate::launch`].
pub const LAUNCHER: &str = "launch-command";

/// A wait of no time at all is one without an end.
const LEAST_WAIT: Duration = Duration::from_millis(1);

/// A launcher that was started. While this lives, what it started may live.
pub(crate) struct Launched {
    /// The launcher: the command itself, or what waits for it; process 1 of its namespaces, once it is known.
    pub(crate) main: Pid,
    socket: UnixStream,
    /// Whether it has yet to say which process is process 1: it says nothing else before that, but a failure.
    introduces: bool,
}

/// Whether the command began.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Beginning {
    Began,
    /// Nothing runs, and nothing ever will: why.
    Failed(String),
    /// It took too long, and may yet begin.
    Late,
}

impl Launched {
    /// Starts `program` as a launcher, with this output.
    ///
    /// # Errors
    /// When it cannot be started, or told what to do: nothing was run.
    pub(crate) fn start(
        program: &Path,
        order: &LaunchOrder,
        stdout: Stdio,
        stderr: Stdio,
    ) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(program);
        command.arg(OsStr::new(LAUNCHER)).env_clear();
        command.stdin(OwnedFd::from(theirs)).stdout(stdout).stderr(stderr);
        if order.own_group {
            command.process_group(0);
        }
        let child = command.spawn()?;
        // The command holds its end, and is dropped here: then it is the launcher's alone.
        drop(command);
        let main = Pid::from_raw(child.id().cast_signed());
        let main = main.ok_or_else(|| io::Error::other("the launcher has no process id"))?;
        let mut launched = Self { main, socket: ours, introduces: false };
        if let Err(error) = send(&mut launched.socket, order) {
            // It has half an order, which is none.
            launched.kill();
            let _ = launched.wait();
            return Err(error);
        }
        Ok(launched)
    }

    /// Makes a launcher of a copy of this process, which must have one thread: what a second start of the same program
    /// would do, without reading and linking it again. It sets up what `jail` alone decides, with what was seen, and
    /// waits to be [told](Self::tell).
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) fn fork(jail: &Jail, sight: &Sight, output: &io::PipeWriter) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        match sys::fork()? {
            None => launch::become_launcher(theirs.as_fd(), output.as_fd(), jail, sight),
            Some(main) => Ok(Self { main, socket: ours, introduces: jail.tier == Tier::Namespaces }),
        }
    }

    /// Tells it what to do. Before a command can run it is known which process ends with it: that is waited for.
    ///
    /// # Errors
    /// Why nothing was run.
    pub(crate) fn tell(&mut self, order: &LaunchOrder, most: Duration) -> Result<(), String> {
        self.meet(most)?;
        send(&mut self.socket, order).map_err(|error| match self.next() {
            // It may have said why before it went away.
            Ok(Some(Report::Failed(why))) => why,
            _ => untold(&error),
        })
    }

    /// Waits until it is known which process matters.
    fn meet(&mut self, most: Duration) -> Result<(), String> {
        if !self.introduces {
            return Ok(());
        }
        let waited = self.socket.set_read_timeout(Some(most.max(LEAST_WAIT)));
        match waited.and_then(|()| receive(&mut self.socket)).map_err(|error| untold(&error))? {
            Some(Report::Inside(pid)) => self.follow(pid),
            Some(Report::Failed(why)) => return Err(why),
            _ => return Err("the launcher ended before it was told what to do".into()),
        }
        Ok(())
    }

    /// Whether it has given up, or is gone, before it was told anything. Does not wait.
    pub(crate) fn has_failed(&mut self) -> bool {
        let looked = self.socket.set_nonblocking(true).and_then(|()| self.next());
        let silent = looked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        !silent || self.socket.set_nonblocking(false).is_err()
    }

    /// The next report about the command.
    fn next(&mut self) -> io::Result<Option<Report>> {
        loop {
            match receive(&mut self.socket)? {
                Some(Report::Inside(pid)) => self.follow(pid),
                report => return Ok(report),
            }
        }
    }

    /// From here on it is process 1 that matters.
    fn follow(&mut self, init: i32) {
        let Some(init) = Pid::from_raw(init) else { return };
        (self.main, self.introduces) = (init, false);
        // Who holds its mounts last takes them apart, which takes some tenths of a millisecond. Held here until this
        // process ends, that is when everything has been said. What cannot be held is only taken apart earlier.
        if let Ok(mounts) = File::open(format!("/proc/{}/ns/mnt", init.as_raw_nonzero())) {
            let _held = mounts.into_raw_fd();
        }
    }

    /// Ends the launcher, and with it what it has set up. It must not have been waited for.
    pub(crate) fn kill(&self) {
        let _ = kill_process(self.main, Signal::KILL);
    }

    /// Waits for its end.
    pub(crate) fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            match waitpid(Some(self.main), WaitOptions::empty()) {
                Ok(Some((_, status))) => return Ok(ExitStatus::from_raw(status.as_raw())),
                Ok(None) | Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Waits until the command runs, or is known not to.
    pub(crate) fn beginning(&mut self, most: Duration) -> Beginning {
        let least = Duration::from_millis(1);
        let waited = self.socket.set_read_timeout(Some(most.max(least))).and_then(|()| self.next());
        match waited {
            // A launcher that becomes the command closes its end by that.
            Ok(None | Some(Report::Inside(_) | Report::Started | Report::Ended { .. })) => Beginning::Began,
            Ok(Some(Report::Failed(why))) => Beginning::Failed(why),
            Err(_) => Beginning::Late,
        }
    }

    /// What the launcher reported at the command's end; nothing where it became the command. Does not wait.
    pub(crate) fn end(&mut self) -> Option<Report> {
        self.socket.set_nonblocking(true).ok()?;
        loop {
            match self.next().ok()?? {
                // It was late, and nobody waited for it.
                Report::Started => {}
                report => return Some(report),
            }
        }
    }
}

impl AsFd for Launched {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

fn untold(error: &io::Error) -> String {
    format!("the launcher could not be told what to do: {error}")
}
