//! Text that arrives in pieces: what may be the beginning of a secret is held back until it is known.

use std::sync::Arc;

use super::dump::{line_of, line_start};
use super::search::Search;

/// Redacts pieces of one text; together they give what the whole would have given, whatever the pieces.
#[derive(Default)]
pub struct RedactedStream {
    search: Option<Arc<Search>>,
    held: String,
    /// Bytes of the line in which `held` begins that were shown by then.
    before: usize,
}

impl RedactedStream {
    pub(super) fn new(search: Option<Arc<Search>>) -> Self {
        Self { search, ..Self::default() }
    }

    /// Takes a piece, and gives what of the text can be shown now: all of it unless it ends like a secret begins.
    pub fn push(&mut self, piece: &str) -> String {
        let Some(search) = &self.search else { return piece.to_owned() };
        self.held.push_str(piece);
        let regions = search.regions_of_text(&self.held, self.before);
        let mut upto = search.open_end(self.held.as_bytes(), self.before);
        // What reaches over the end of what is shown may yet grow, and is read with the line that it begins in.
        while let Some(growing) = regions.iter().find(|region| region.start < upto && upto < region.end) {
            upto = line_of(self.held.as_bytes(), growing.start);
        }
        let known: Vec<_> = regions.into_iter().filter(|region| region.end <= upto).collect();
        let rest = self.held.split_off(upto);
        let ready = std::mem::replace(&mut self.held, rest);
        self.before = match line_start(&ready) {
            0 => self.before + ready.len(),
            start => ready.len() - start,
        };
        search.replace_in_text(ready, &known)
    }

    /// The rest, when nothing more comes.
    pub fn finish(&mut self) -> String {
        let held = std::mem::take(&mut self.held);
        let Some(search) = &self.search else { return held };
        let regions = search.regions_of_text(&held, std::mem::take(&mut self.before));
        search.replace_in_text(held, &regions)
    }
}

/// Shows nothing of what it holds.
impl std::fmt::Debug for RedactedStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RedactedStream({} bytes held)", self.held.len())
    }
}
