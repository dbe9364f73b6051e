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
        Self { receiver, open: true, terminal: std::io::stdin().is_terminal() }
    }

    /// The next line, or the lines of a paste as one text; none when there will be no more.
    pub(super) async fn next(&mut self) -> Option<String> {
        if !self.open {
            return None;
        }
        let Some(mut text) = self.receiver.recv().await else {
            self.open = false;
            return None;
        };
        while self.terminal
            && let Ok(Some(more)) = timeout(PASTED_WITHIN, self.receiver.recv()).await
        {
            text.push('\n');
            text.push_str(&more);
        }
        Some(text)
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
        while self.terminal && self.receiver.try_recv().is_ok() {}
    }
}
