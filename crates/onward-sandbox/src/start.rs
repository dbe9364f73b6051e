//! Starting a launcher, and hearing from it.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::launch::channel::{Report, receive, send};
use crate::launch::order::LaunchOrder;

/// The word that makes a program the launcher of a command: see [`crate::launch`].
pub const LAUNCHER: &str = "launch-command";

/// A launcher that was started. While this lives, what it started may live.
pub(crate) struct Launched {
    /// The launcher: the command itself, or what waits for it.
    pub(crate) child: Child,
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
        let mut launched = Self { child: command.spawn()?, socket: ours };
        // The command holds its end, and is dropped here: then it is the launcher's alone.
        drop(command);
        match send(&mut launched.socket, order) {
            Ok(()) => Ok(launched),
            Err(error) => {
                // It has half an order, which is none.
                let _ = launched.child.kill();
                let _ = launched.child.wait();
                Err(error)
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
