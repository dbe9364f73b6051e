//! Progress on a terminal or in a file: lines as things happen, and the words of the model as they arrive.

use std::io::Write;

use onward_core::Session;
use onward_event::{AcceptedPart, Event, Record, TurnTerminal};
use onward_port::ModelDelta;

use super::line::{Line, Palette, Style};
use super::narrator::Narrator;
use super::record::{Detail, content_words};
use onward_wire::terminal::{Filter, Manner, exact as printable, prose};

/// Where the words of the model go as they arrive.
pub(crate) enum Words {
    /// Nowhere: what a turn ends with is kept as an answer.
    Kept,
    /// Where the progress goes.
    AmongProgress,
    /// To a place of their own, which a person looks at.
    Apart(Box<dyn Write + Send>),
}

/// Writes progress to one place.
pub(crate) struct Progress {
    out: Box<dyn Write + Send>,
    palette: Palette,
    words_go: Words,
    /// The words of the open attempt that were shown as they arrived.
    streamed: String,
    /// Whether the last thing written did not end its line.
    mid_line: bool,
    /// For the words that are on their way.
    filter: Filter,
    /// What a line is about.
    narrator: Narrator,
    /// The words of the last accepted output, and the answers of the turns that were completed since.
    words: String,
    answers: Vec<String>,
}

impl Progress {
    pub(crate) fn new(out: impl Write + Send + 'static, palette: Palette, words_go: Words) -> Self {
        Self {
            out: Box::new(out),
            palette,
            words_go,
            streamed: String::new(),
            mid_line: false,
            filter: Filter::new(Manner::Prose),
            narrator: Narrator::default(),
            words: String::new(),
            answers: Vec::new(),
        }
    }

    /// Goes on with a session of which others have shown what came before.
    pub(crate) fn take_up(&mut self, session: &Session) {
        self.narrator = Narrator::of(session);
    }

    /// A record was committed.
    pub(crate) fn record(&mut self, record: &Record) {
        match &record.event {
            Event::AttemptStart(_) => self.streamed.clear(),
            Event::AssistantAccepted(accepted) => self.unseen_words(&words_of(&accepted.content)),
            _ => {}
        }
        for line in self.narrator.tell(record, Detail::Progress) {
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
                self.narrator.follow(&record.event);
                self.words = words_of(&accepted.content);
                if !matches!(self.words_go, Words::Kept) {
                    let words = std::mem::take(&mut self.words);
                    self.unseen_words(&words);
                } else if accepted.calls > 0 && !self.words.trim().is_empty() {
                    let words = prose(self.words.trim_end());
                    self.line(&Line::new(Style::Plain, words));
                }
            }
            Event::TurnEnd(end) if end.terminal == TurnTerminal::Completed => {
                self.answers.push(std::mem::take(&mut self.words));
            }
            Event::ApprovalRequested(_) => {
                self.narrator.follow(&record.event);
            }
            _ => self.record(record),
        }
    }

    /// The answers of the turns that were completed, in their order.
    pub(crate) fn answers(&self) -> &[String] {
        &self.answers
    }

    /// A piece of a reply arrived.
    pub(crate) fn delta(&mut self, delta: &ModelDelta) {
        if let ModelDelta::Text(text) = delta
            && !matches!(self.words_go, Words::Kept)
        {
            self.streamed.push_str(text);
            let text = self.filter.push(text);
            self.mid_line = !text.ends_with('\n') && (self.mid_line || !text.is_empty());
            self.write_words(&text);
        }
    }

    /// Words that were accepted: what of them has not arrived piece by piece is shown as a whole.
    fn unseen_words(&mut self, words: &str) {
        let seen = std::mem::take(&mut self.streamed);
        if seen.trim() != words.trim() && !words.trim().is_empty() {
            self.end_line();
            self.write_words(&format!("{}\n", prose(words.trim_end())));
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
            self.write_words(&format!("{rest}\n"));
        }
    }

    fn write(&mut self, text: &str) {
        write(&mut self.out, text);
    }

    fn write_words(&mut self, text: &str) {
        match &mut self.words_go {
            Words::Apart(apart) => write(apart, text),
            Words::Kept | Words::AmongProgress => write(&mut self.out, text),
        }
    }
}

/// A screen that is gone must not end the work: what it would have shown is in the log.
fn write(out: &mut impl Write, text: &str) {
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

fn words_of(content: &[AcceptedPart]) -> String {
    let texts = content.iter().filter_map(|part| match part {
        AcceptedPart::Text(text) => Some(text.as_str()),
        AcceptedPart::Reasoning { .. } => None,
    });
    texts.collect()
}
