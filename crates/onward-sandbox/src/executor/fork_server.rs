//! The fork server as the runtime sees it: started when the first copy is wanted, and again when it has failed.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::process::Child;

use crate::supervisor::fork_server::{receive, send};

/// How long it may take to answer. It takes some hundred microseconds.
const ANSWERS: Duration = Duration::from_secs(2);

/// The fork server of an executor. It ends with it.
#[derive(Debug, Default)]
pub(super) struct ForkServer(Mutex<Option<Running>>);

/// A server that runs, as far as anybody knows.
#[derive(Debug)]
pub(super) struct Running {
    process: Child,
    line: UnixStream,
}

impl Running {
    /// The server that was started with the other end of `line`.
    ///
    /// # Errors
    /// When the line cannot be used.
    pub(super) fn new(process: Child, line: UnixStream) -> io::Result<Self> {
        line.set_read_timeout(Some(ANSWERS))?;
        Ok(Self { process, line })
    }

    fn fork(&self, theirs: impl AsFd) -> io::Result<OwnedFd> {
        send(self.line.as_fd(), theirs.as_fd())?;
        receive(self.line.as_fd())?.ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

impl ForkServer {
    /// A copy that hears from `theirs`: a descriptor of its process. Blocks; one that fails is ended.
    ///
    /// # Errors
    /// When there is no copy, or nobody knows whether there is one. One that nobody knows of ends with its line.
    pub(super) fn fork(
        &self,
        theirs: impl AsFd,
        start: impl FnOnce() -> io::Result<Running>,
    ) -> io::Result<OwnedFd> {
        // Nothing panics while it is held.
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running = match kept.take() {
            Some(running) => running,
            None => start()?,
        };
        match running.fork(theirs) {
            Ok(process) => {
                *kept = Some(running);
                Ok(process)
            }
            Err(error) => {
                // It may be stopped, and would not notice that nobody asks any more.
                let _ = running.process.start_kill();
                Err(error)
            }
        }
    }
}
