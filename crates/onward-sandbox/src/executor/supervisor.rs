//! A supervisor's process, as the runtime sees it: started, told in two messages, and heard of by the end of the line.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, pidfd_send_signal};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

use super::fork_server::{ForkServer, Running};
use crate::frame;
use crate::spec::{Prepare, Role, Run};

/// How supervisors are started: as `program arguments…` in the folder that holds their executions, or as copies of one
/// that was started so.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<OsString>,
    pub(super) base: PathBuf,
    pub(super) fork_server: Arc<ForkServer>,
}

/// A supervisor that this process has started. Until it is told to run, it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Supervisor {
    process: Process,
    line: tokio::net::UnixStream,
}

#[derive(Debug)]
enum Process {
    /// A child of this process.
    Started(Child),
    /// A child of the fork server, which collects it: a descriptor that becomes readable when it ends.
    Forked(OwnedFd),
}

impl Start {
    /// Starts a supervisor, and tells it how its command will be contained. Blocks until the program is running.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(super) fn supervisor(&self, prepare: &Prepare) -> io::Result<Supervisor> {
        let (ours, process) = self.started()?;
        Supervisor::told(Process::Started(process), ours, prepare)
    }

    /// The same for a command that is still to come: by a fork, which costs less once there is somebody to do it. Blocks.
    ///
    /// # Errors
    /// When it cannot be started either way.
    pub(super) fn spare(&self, prepare: &Prepare) -> io::Result<Supervisor> {
        let (ours, theirs) = UnixStream::pair()?;
        match self.fork_server.fork(&theirs, || self.server()) {
            Ok(process) => {
                drop(theirs);
                Supervisor::told(Process::Forked(process), ours, prepare)
            }
            Err(_) => self.supervisor(prepare),
        }
    }

    fn server(&self) -> io::Result<Running> {
        let (mut ours, process) = self.started()?;
        ours.write_all(&frame::encode(&Role::ForkServer)?)?;
        Running::new(process, ours)
    }

    /// Starts the program, with a line to it.
    fn started(&self) -> io::Result<(UnixStream, Child)> {
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(&self.base).env_clear();
        command.stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::null());
        // The command holds the other end, and is dropped here: then that is the program's alone.
        Ok((ours, command.spawn()?))
    }
}

impl Supervisor {
    fn told(process: Process, mut line: UnixStream, prepare: &Prepare) -> io::Result<Self> {
        line.write_all(&frame::encode(&Role::Supervisor(prepare.clone()))?)?;
        line.set_nonblocking(true)?;
        Ok(Self { process, line: tokio::net::UnixStream::from_std(line)? })
    }

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
        match &mut self.process {
            Process::Started(child) => return child.kill().await,
            Process::Forked(process) => pidfd_send_signal(process, Signal::KILL)?,
        }
        self.end().await
    }

    /// Whether it is gone already.
    pub(super) fn is_gone(&mut self) -> bool {
        match &mut self.process {
            Process::Started(child) => !matches!(child.try_wait(), Ok(None)),
            Process::Forked(process) => {
                let now = Timespec { tv_sec: 0, tv_nsec: 0 };
                poll(&mut [PollFd::new(process, PollFlags::IN)], Some(&now)) != Ok(0)
            }
        }
    }

    /// Returns when it will not write to its folder any more: it says so by closing the line, a moment before its end.
    pub(super) async fn is_silent(&mut self) {
        // It says nothing on it but that it has heard; an error is an end, too.
        while matches!(self.line.read(&mut [0; 16]).await, Ok(1..)) {}
    }

    /// Waits for its end.
    pub(super) async fn end(&mut self) -> io::Result<()> {
        match &mut self.process {
            Process::Started(child) => child.wait().await.map(drop),
            Process::Forked(process) => {
                let process = process.try_clone()?;
                let ended = move || poll(&mut [PollFd::new(&process, PollFlags::IN)], None);
                tokio::task::spawn_blocking(ended).await??;
                Ok(())
            }
        }
    }
}
