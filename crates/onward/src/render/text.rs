//! Progress on a terminal or in a file: lines as things happen, and the words of the model as they arrive.

use std::io::Write;

use onward_event::{AcceptedPart, Event, Record, TurnTerminal};
use onward_port::ModelDelta;

use super::line::{Line, Palette, Style};
use super::record::{content_words, describe};
use onward_wire::terminal::{Filter, Manner, exact as printable, prose};

/// Writes progress to one place.
pub(crate) struct Progress {
    out: Box<dyn Write + Send>,
    palette: Palette,
    /// Whether the words of the model are shown as they arrive.
    stream_words: bool,
    /// Whether the last thing written did not end its line.
    mid_line: bool,
    /// For the words that are on their way.
    filter: Filter,
    /// The words of the last accepted output, and the answers of the turns that were completed since.
    words: String,
    answers: Vec<String>,
}

impl Progress {
    pub(crate) fn new(out: impl Write + Send + 'static, palette: Palette, stream_words: bool) -> Self {
        Self {
            out: Box::new(out),
            palette,
            stream_words,
            mid_line: false,
            filter: Filter::new(Manner::Prose),
            words: String::new(),
            answers: Vec::new(),
        }
    }

    /// A record was committed.
    pub(crate) fn record(&mut self, record: &Record) {
        for line in describe(record) {
            self.line(&line);
        }
    }

    /// A record was committed while nobody talks: what the model says on its way is progress, and what a turn ends with
    /// is kept as an answer. What waits for a person is said at the end, with how to answer.
    pub(crate) fn record_quietly(&mut self, record: &Record) {
        match &record.event {
            Event::InboxReceived(received) => {
                let words = content_words(&received.message.content);
                self.line(&Line::new(Style::Strong, format!("> {}", prose(&words).replace('\n', "\n  "))));
            }
            Event::AssistantAccepted(accepted) => {
                self.words = words_of(&accepted.content);
                if accepted.calls > 0 && !self.words.trim().is_empty() {
                    let words = prose(self.words.trim_end());
                    self.line(&Line::new(Style::Plain, words));
                }
            }
            Event::TurnEnd(end) if end.terminal == TurnTerminal::Completed => {
                self.answers.push(std::mem::take(&mut self.words));
            }
            Event::ApprovalRequested(_) => {}
            _ => self.record(record),
        }
    }

    /// The answers of the turns that were completed, in their order.
    pub(crate) fn answers(&self) -> &[String] {
        &self.answers
    }

    /// A piece of a reply arrived.
    pub(crate) fn delta(&mut self, delta: &ModelDelta) {
        if let (ModelDelta::Text(text), true) = (delta, self.stream_words) {
            let text = self.filter.push(text);
            self.mid_line = !text.ends_with('\n') && (self.mid_line || !text.is_empty());
            self.write(&text);
        }
    }

    /// A line of its own.
    pub(crate) fn line(&mut self, line: &Line) {
        self.end_line();
        let text = format!("{}\n", self.palette.paint(line));
        self.write(&text);
    }

    /// A notice.
    pub(crate) fn notice(&mut self, text: &str) {
        self.line(&Line::new(Style::Dim, printable(text)));
    }

    /// Ends the line of words that is being written, if there is one.
    pub(crate) fn end_line(&mut self) {
        // What was held back until it is known what follows.
        let rest = self.filter.finish();
        if self.mid_line || !rest.is_empty() {
            self.mid_line = false;
            self.write(&format!("{rest}\n"));
        }
    }

    /// A screen that is gone must not end the work: what it would have shown is in the log.
    fn write(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes());
        let _ = self.out.flush();
    }
}

fn words_of(content: &[AcceptedPart]) -> String {
    let texts = content.iter().filter_map(|part| match part {
        AcceptedPart::Text(text) => Some(text.as_str()),
        AcceptedPart::Reasoning { .. } => None,
    });
    texts.collect()
}
