//! A text with something left out, which still knows where each of its bytes stood.

use std::ops::Range;

/// Bytes of a text, one after the other.
#[derive(Debug, Default)]
pub(super) struct View {
    bytes: Vec<u8>,
    /// Where a stretch without a gap begins: here, and in the text.
    stretches: Vec<(usize, usize)>,
    /// Lines of a dump that repeat their bytes as characters at their end.
    columns: Vec<Range<usize>>,
}

impl View {
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Adds what stands in the text from `at` on.
    pub(super) fn push(&mut self, bytes: &[u8], at: usize) {
        let here = self.bytes.len();
        if self.stretches.last().is_none_or(|(view, text)| text + (here - view) != at) {
            self.stretches.push((here, at));
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Takes back everything from here on.
    pub(super) fn truncate(&mut self, here: usize) {
        self.bytes.truncate(here);
        while self.stretches.last().is_some_and(|(view, _)| *view >= here) {
            self.stretches.pop();
        }
    }

    /// What ends within this line of the text reaches to the end of it.
    pub(super) fn push_column(&mut self, line: Range<usize>) {
        self.columns.push(line);
    }

    /// Where some of the bytes stand in the text, from the first to the last of them.
    pub(super) fn in_text(&self, bytes: Range<usize>) -> Range<usize> {
        let end = self.at(bytes.end.saturating_sub(1)) + 1;
        let line = self.columns.partition_point(|line| line.end < end);
        let end = match self.columns.get(line) {
            Some(line) if line.start < end => line.end,
            _ => end,
        };
        self.at(bytes.start)..end
    }

    /// Where one of the bytes stands in the text.
    pub(super) fn at(&self, here: usize) -> usize {
        let after = self.stretches.partition_point(|(view, _)| *view <= here);
        let stretch = after.checked_sub(1).and_then(|n| self.stretches.get(n));
        stretch.map_or(here, |(view, text)| text + (here - view))
    }
}
