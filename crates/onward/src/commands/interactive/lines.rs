//! Lines from standard input, read on a thread of their own, so that a person who does not type holds up nothing.
//!
//! What is pasted arrives as several lines at once. They are one message together, and never an answer to a question:
//! a line of a paste must not approve anything.

use std::io::{BufRead as _, IsTerminal as _};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::timeout;

/// Lines that are read ahead.
const AHEAD: usize = 1_024;
/// Lines that come within this time of each other were not typed one by one.
const PASTED_WITHIN: Duration = Duration::from_millis(30);

/// The lines that a person types.
pub(super) struct Lines {
    receiver: mpsc::Receiver<String>,
    /// What was read, and not handed over yet: whoever waited for it may have turned to something else.
    read: Option<String>,
    open: bool,
    /// A terminal: only there is anything pasted, or typed before it is asked for.
    terminal: bool,
}

impl Lines {
    pub(super) fn new() -> Self {
        let (sender, receiver) = mpsc::channel(AHEAD);
        // It ends with the process, or when nobody listens any more.
        std::thread::spawn(move || {
            for line in std::io::stdin().lock().lines() {
                let Ok(line) = line else { break };
                if sender.blocking_send(line).is_err() {
                    break;
                }
            }
        });
        Self { receiver, read: None, open: true, terminal: std::io::stdin().is_terminal() }
    }

    /// The next line, or the lines of a paste as one text; none when there will be no more. Nothing is lost when this is
    /// dropped before it returns.
    pub(super) async fn next(&mut self) -> Option<String> {
        if !self.open {
            return None;
        }
        if self.read.is_none() {
            self.read = self.receiver.recv().await;
            self.open = self.read.is_some();
        }
        while self.terminal
            && self.open
            && let Ok(Some(more)) = timeout(PASTED_WITHIN, self.receiver.recv()).await
        {
            self.add(&more);
        }
        self.read.take()
    }

    /// What was typed and nobody has taken, when nobody will ask for it any more.
    pub(super) fn rest(&mut self) -> Option<String> {
        while let Ok(more) = self.receiver.try_recv() {
            self.add(&more);
        }
        self.read.take()
    }

    fn add(&mut self, more: &str) {
        match &mut self.read {
            Some(text) => {
                text.push('\n');
                text.push_str(more);
            }
            None => self.read = Some(more.to_owned()),
        }
    }

    /// The next line; never returns once there are no more.
    pub(super) async fn next_if_open(&mut self) -> Option<String> {
        if !self.open {
            std::future::pending::<()>().await;
        }
        self.next().await
    }

    /// Takes no more lines, as if there were none.
    pub(super) fn end(&mut self) {
        self.open = false;
    }

    /// Forgets what was typed before now: it cannot be meant for a question that was not there yet.
    pub(super) fn forget_typed_ahead(&mut self) {
        if self.terminal {
            self.rest();
        }
    }
}
