//! Progress on a terminal or in a file: lines as things happen, and the words of the model as they arrive.

use std::io::Write;

use onward_event::Record;
use onward_port::ModelDelta;

use super::line::{Line, Palette, Style, printable};
use super::record::describe;

/// Writes progress to one place.
pub(crate) struct Progress {
    out: Box<dyn Write + Send>,
    palette: Palette,
    /// Whether the words of the model are shown as they arrive.
    stream_words: bool,
    /// Whether the last thing written did not end its line.
    mid_line: bool,
}

impl Progress {
    pub(crate) fn new(out: impl Write + Send + 'static, palette: Palette, stream_words: bool) -> Self {
        Self { out: Box::new(out), palette, stream_words, mid_line: false }
    }

    /// A record was committed.
    pub(crate) fn record(&mut self, record: &Record) {
        for line in describe(record) {
            self.line(&line);
        }
    }

    /// A piece of a reply arrived.
    pub(crate) fn delta(&mut self, delta: &ModelDelta) {
        if let (ModelDelta::Text(text), true) = (delta, self.stream_words) {
            let text = printable(text);
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
        if self.mid_line {
            self.mid_line = false;
            self.write("\n");
        }
    }

    /// A screen that is gone must not end the work: what it would have shown is in the log.
    fn write(&mut self, text: &str) {
        let _ = self.out.write_all(text.as_bytes());
        let _ = self.out.flush();
    }
}
