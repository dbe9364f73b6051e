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

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::pin;
    use std::task::Poll;

    use super::*;

    fn typed(lines: &[&str], terminal: bool) -> (Lines, mpsc::Sender<String>) {
        let (sender, receiver) = mpsc::channel(AHEAD);
        lines.iter().for_each(|line| sender.try_send((*line).to_owned()).unwrap());
        (Lines { receiver, read: None, open: true, terminal }, sender)
    }

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(work)
    }

    /// A paste is one text, which is no number: none of its lines answers anything.
    #[test]
    fn lines_that_come_at_once_are_one_text() {
        block_on(async {
            let (mut lines, _terminal) = typed(&["1", "1", "y"], true);
            assert_eq!(lines.next().await.as_deref(), Some("1\n1\ny"));
            let (mut lines, _pipe) = typed(&["1", "1"], false);
            assert_eq!(lines.next().await.as_deref(), Some("1"));
        });
    }

    #[test]
    fn what_was_typed_ahead_is_forgotten_at_a_terminal_only() {
        block_on(async {
            let (mut lines, sender) = typed(&["1", "2"], true);
            lines.forget_typed_ahead();
            sender.send("4".into()).await.unwrap();
            assert_eq!(lines.next().await.as_deref(), Some("4"));
            let (mut lines, _pipe) = typed(&["1"], false);
            lines.forget_typed_ahead();
            assert_eq!(lines.next().await.as_deref(), Some("1"));
        });
    }

    /// News may come while it is waited whether a line is the first of a paste.
    #[test]
    fn a_line_outlives_whoever_stops_waiting_for_it() {
        block_on(async {
            let (mut lines, sender) = typed(&["first"], true);
            {
                let mut waiting = pin!(lines.next());
                assert!(poll_fn(|cx| Poll::Ready(waiting.as_mut().poll(cx).is_pending())).await);
            }
            sender.send("second".into()).await.unwrap();
            drop(sender);
            assert_eq!(lines.next().await.as_deref(), Some("first\nsecond"));
            assert_eq!(lines.next().await, None);
        });
    }
}
