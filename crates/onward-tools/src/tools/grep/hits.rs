//! Collects matching lines as text, within bounds.

use std::io;
use std::sync::Arc;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};
use onward_port::Cancel;

use crate::text::{ceil_char, cut_line, floor_char};

/// What was found so far.
pub(super) struct Hits<'a> {
    matcher: &'a RegexMatcher,
    text: String,
    shown: u64,
    max: u64,
    max_line: usize,
    max_bytes: usize,
}

impl<'a> Hits<'a> {
    /// Nothing yet; `max` lines that match, each cut to `max_line` bytes, and about `max_bytes` in all.
    pub(super) fn new(matcher: &'a RegexMatcher, max: u64, max_line: usize, max_bytes: usize) -> Self {
        Self { matcher, text: String::new(), shown: 0, max, max_line, max_bytes }
    }

    /// The expression.
    pub(super) fn matcher(&self) -> &'a RegexMatcher {
        self.matcher
    }

    /// Whether there is no room for another match.
    pub(super) fn is_full(&self) -> bool {
        self.shown >= self.max || self.text.len() >= self.max_bytes
    }

    /// How many matching lines are shown.
    pub(super) fn shown(&self) -> u64 {
        self.shown
    }

    /// The lines.
    pub(super) fn into_text(self) -> String {
        self.text
    }

    /// Where the search of one file puts what it finds.
    pub(super) fn in_file<'h>(&'h mut self, path: &'h str, cancel: &'h Arc<dyn Cancel>) -> FileHits<'h, 'a> {
        FileHits { hits: self, path, cancel }
    }
}

/// [`Hits`] of one file.
pub(super) struct FileHits<'h, 'a> {
    hits: &'h mut Hits<'a>,
    path: &'h str,
    cancel: &'h Arc<dyn Cancel>,
}

impl FileHits<'_, '_> {
    fn push(&mut self, separator: char, number: Option<u64>, line: &str) {
        let number = number.unwrap_or(0);
        let (path, text) = (self.path, &mut self.hits.text);
        text.push_str(&format!("{path}{separator}{number}{separator}{line}\n"));
    }

    fn goes_on(&self) -> bool {
        !self.cancel.is_cancelled()
    }
}

impl Sink for FileHits<'_, '_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> Result<bool, io::Error> {
        if self.hits.is_full() {
            return Ok(false);
        }
        let line = trimmed(found.bytes());
        let at = self.hits.matcher.find(line).ok().flatten().map_or(0, |found| found.start());
        let shown = window(line, at, self.hits.max_line);
        self.push(':', found.line_number(), &shown);
        self.hits.shown += 1;
        Ok(self.goes_on())
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> Result<bool, io::Error> {
        let line = cut_line(trimmed(context.bytes()), self.hits.max_line);
        self.push('-', context.line_number(), &line);
        Ok(self.goes_on())
    }

    fn context_break(&mut self, _: &Searcher) -> Result<bool, io::Error> {
        self.hits.text.push_str("--\n");
        Ok(true)
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A line, or of a long one the part around the match.
fn window(line: &[u8], at: usize, max: usize) -> String {
    if line.len() <= max || at < max / 2 {
        return cut_line(line, max).into_owned();
    }
    let start = ceil_char(line, at - max / 4);
    let end = floor_char(line, start.saturating_add(max));
    let part = String::from_utf8_lossy(&line[start..end]);
    let after = line.len() - end;
    format!("[cut: {start} bytes] {part} [cut: {after} more bytes in this line]")
}
