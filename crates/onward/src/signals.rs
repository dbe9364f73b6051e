//! What the terminal and the system ask of the process.

use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::error::{CliError, ErrorKind};

/// The signals that a command that works on a session attends to.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

/// What is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// Stop what you are doing (Ctrl-C).
    Interrupt,
    /// End in order: the system shuts down.
    End,
    /// The same, because the terminal is gone. Often it comes along with another signal, and is never more urgent.
    HangUp,
}

impl Signals {
    /// From here on these signals do not end the process by themselves.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn listen() -> Result<Self, CliError> {
        let listen = |kind| {
            signal(kind).map_err(|error| {
                CliError::new(
                    ErrorKind::Runtime,
                    format!("cannot listen to signals: {error}; nothing was started"),
                )
            })
        };
        Ok(Self {
            interrupt: listen(SignalKind::interrupt())?,
            terminate: listen(SignalKind::terminate())?,
            hang_up: listen(SignalKind::hangup())?,
        })
    }

    /// The next thing that is asked.
    pub(crate) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::Interrupt,
            _ = self.terminate.recv() => Asked::End,
            _ = self.hang_up.recv() => Asked::HangUp,
        }
    }
}
