//! Starting a launcher, and hearing from it.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

use crate::launch;
use crate::launch::channel::{Report, receive, send};
use crate::launch::order::{Jail, LaunchOrder};
use crate::launch::sight::Sight;
use crate::sys;

/// The word that makes a program the launcher of a command: see [`crate::launch`].
pub const LAUNCHER: &str = "launch-command";

/// A launcher that was started. While this lives, what it started may live.
pub(crate) struct Launched {
    /// The launcher: the command itself, or what waits for it.
    pub(crate) main: Pid,
    socket: UnixStream,
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
        let mut launched = Self { main, socket: ours };
        if let Err(error) = launched.tell(order) {
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
            Some(main) => Ok(Self { main, socket: ours }),
        }
    }

    /// Tells it what to do.
    ///
    /// # Errors
    /// When that cannot be done: nothing was run.
    pub(crate) fn tell(&mut self, order: &LaunchOrder) -> io::Result<()> {
        send(&mut self.socket, order)
    }

    /// Whether it has given up, or is gone, before it was told anything.
    pub(crate) fn has_failed(&self) -> bool {
        let look = RecvFlags::PEEK | RecvFlags::DONTWAIT;
        !matches!(recv(&self.socket, &mut [0][..], look), Err(Errno::AGAIN))
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
        let waited =
            self.socket.set_read_timeout(Some(most.max(least))).and_then(|()| receive(&mut self.socket));
        match waited {
            // A launcher that becomes the command closes its end by that.
            Ok(None | Some(Report::Started | Report::Ended { .. })) => Beginning::Began,
            Ok(Some(Report::Failed(why))) => Beginning::Failed(why),
            Err(_) => Beginning::Late,
        }
    }

    /// What the launcher reported at the command's end; nothing where it became the command. Does not wait.
    pub(crate) fn end(&mut self) -> Option<Report> {
        self.socket.set_nonblocking(true).ok()?;
        loop {
            match receive(&mut self.socket).ok()?? {
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
