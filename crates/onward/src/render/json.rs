//! The stream of `--json`: one object per line on standard output.

use std::io::Write;

use onward_event::{AttemptId, Digest, Record};
use onward_port::ModelDelta;
use onward_wire::{Delta, Failure, Outcome, Session, Waiting, WireEvent, from_record};

/// Writes the stream.
pub(crate) struct JsonStream<W> {
    out: W,
    /// The attempt whose pieces are shown, and how many there were.
    pieces: Option<(AttemptId, u64)>,
}

impl<W: Write> JsonStream<W> {
    pub(crate) fn new(out: W) -> Self {
        Self { out, pieces: None }
    }

    /// The first line.
    pub(crate) fn session(&mut self, session: Session) {
        self.write(&WireEvent::Session(session));
    }

    /// A record, and the hash under which it is stored.
    pub(crate) fn record(&mut self, record: &Record, hash: Digest) {
        if let Some(event) = from_record(record, &hash) {
            self.write(&event);
        }
    }

    /// A piece of a reply.
    pub(crate) fn delta(&mut self, attempt: AttemptId, delta: &ModelDelta) {
        let (make, text): (fn(Delta) -> WireEvent, _) = match delta {
            ModelDelta::Text(text) => (WireEvent::TextDelta, text),
            ModelDelta::Reasoning(text) => (WireEvent::ReasoningDelta, text),
            ModelDelta::Call { .. } | ModelDelta::Arguments(_) => return,
        };
        let n = match self.pieces {
            Some((of, n)) if of == attempt => n,
            _ => 0,
        };
        self.pieces = Some((attempt, n + 1));
        self.write(&make(Delta { attempt, n, text: text.clone() }));
    }

    /// What the work waits for.
    pub(crate) fn waiting(&mut self, waiting: Waiting) {
        self.write(&WireEvent::Waiting(waiting));
    }

    /// The last line, when the work came to an end.
    pub(crate) fn result(&mut self, outcome: Outcome) {
        self.write(&WireEvent::Result(outcome));
    }

    /// The last line, when it did not.
    pub(crate) fn failure(&mut self, failure: Failure) {
        self.write(&WireEvent::Error(failure));
    }

    /// A reader that is gone must not end the work: what it would have read is in the log.
    fn write(&mut self, event: &WireEvent) {
        if let Ok(line) = event.to_line() {
            let _ = writeln!(self.out, "{line}");
            let _ = self.out.flush();
        }
    }
}
