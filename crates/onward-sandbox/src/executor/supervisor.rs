//! A supervisor's process, as the runtime sees it: started, told in two messages, and heard of by the end of the line.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::UnixStream;
use tokio::process::{Child, Command};

use crate::frame;
use crate::spec::{Prepare, Run};

/// How supervisors are started: as `program arguments…` in the folder that holds their executions.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    pub(super) base: PathBuf,
}

/// A supervisor that this process has started. Until it is told to run, it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Supervisor {
    child: Child,
    line: UnixStream,
}

impl Start {
    /// Starts a supervisor, and tells it how its command will be contained. Blocks until the program is running.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn supervisor(&self, prepare: &Prepare) -> io::Result<Supervisor> {
        let message = frame::encode(prepare)?;
        let (mut ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.base).env_clear();
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        let child = command.spawn()?;
        // The command holds its end, and is dropped here: then it is the supervisor's alone.
        drop(command);
        ours.write_all(&message)?;
        ours.set_nonblocking(true)?;
        Ok(Supervisor { child, line: UnixStream::from_std(ours)? })
    }
}

impl Supervisor {
    /// Tells it to run.
    ///
    /// # Errors
    /// When it has not heard the whole message: then it never runs.
    pub(super) async fn run(&mut self, run: &Run) -> io::Result<()> {
        self.line.write_all(&frame::encode(run)?).await
    }

    /// Whether it answers within this time that it was told to run. One that is stopped, or that the system does not let
    /// run, does not.
    pub(super) async fn answers_within(&mut self, most: Duration) -> bool {
        let answer = tokio::time::timeout(most, self.line.read_u8()).await;
        matches!(answer, Ok(Ok(_)))
    }

    /// Ends it, whatever state it is in.
    ///
    /// # Errors
    /// When it is not known to be gone.
    pub(super) async fn kill(&mut self) -> io::Result<()> {
        self.child.kill().await
    }

    /// Whether it is gone already.
    pub(super) fn is_gone(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Returns when it will not write to its folder any more: it says so by closing the line, a moment before its end.
    pub(super) async fn is_silent(&mut self) {
        // It says nothing on it but that it has heard; an error is an end, too.
        while matches!(self.line.read(&mut [0; 16]).await, Ok(1..)) {}
    }

    /// Waits for its end.
    pub(super) async fn end(&mut self) -> io::Result<()> {
        self.child.wait().await.map(drop)
    }
}
