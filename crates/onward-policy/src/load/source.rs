//! A text, its name and whose it is; and the faults that were found in it.

use std::ops::Range;

use super::error::LoadError;
use crate::layer::{Layer, Origin};

/// The text that is read, with what was found wrong with it so far.
pub(super) struct Source<'a> {
    /// Whose.
    pub(super) layer: Layer,
    /// Its name.
    pub(super) file: &'a str,
    text: &'a str,
    errors: Vec<LoadError>,
}

impl<'a> Source<'a> {
    pub(super) fn new(layer: Layer, file: &'a str, text: &'a str) -> Self {
        Self { layer, file, text, errors: Vec::new() }
    }

    /// Notes a fault at a place of the text.
    pub(super) fn wrong(&mut self, at: &Range<usize>, what: impl Into<String>, instead: impl Into<String>) {
        let (line, column) = self.place(at.start);
        self.errors.push(LoadError {
            file: self.file.to_owned(),
            line,
            column,
            what: what.into(),
            instead: instead.into(),
        });
    }

    /// Where something stands.
    pub(super) fn origin(&self, at: &Range<usize>) -> Origin {
        Origin { layer: self.layer, file: self.file.to_owned(), line: self.place(at.start).0 }
    }

    /// How many faults there are.
    pub(super) fn count(&self) -> usize {
        self.errors.len()
    }

    /// The faults, in the order of the text.
    pub(super) fn into_errors(mut self) -> Vec<LoadError> {
        self.errors.sort_by_key(|error| (error.line, error.column));
        self.errors
    }

    fn place(&self, offset: usize) -> (usize, usize) {
        let before = self.text.get(..offset.min(self.text.len())).unwrap_or_default();
        let line = 1 + before.matches('\n').count();
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        (line, 1 + before[start..].chars().count())
    }
}
