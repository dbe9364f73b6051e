//! Lines from standard input, read on a thread of their own, so that a person who does not type holds up nothing.

use std::io::BufRead as _;

use tokio::sync::mpsc;

/// Lines that are read ahead.
const AHEAD: usize = 16;

/// The lines that a person types.
pub(super) struct Lines {
    receiver: mpsc::Receiver<String>,
    open: bool,
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
        Self { receiver, open: true }
    }

    /// The next line; none when there will be no more.
    pub(super) async fn next(&mut self) -> Option<String> {
        let line = self.receiver.recv().await;
        self.open = line.is_some();
        line
    }

    /// The next line; never returns once there are no more.
    pub(super) async fn next_if_open(&mut self) -> Option<String> {
        if !self.open {
            std::future::pending::<()>().await;
        }
        self.next().await
    }
}
