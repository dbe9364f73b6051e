//! Text that arrives in pieces: what may be the beginning of a secret is held back until it is known.

use std::sync::Arc;

use super::Redactor;
use super::search::Search;

/// Redacts pieces of one text; together they give what the whole would have given, whatever the pieces.
#[derive(Default)]
pub struct RedactedStream {
    search: Option<Arc<Search>>,
    held: String,
}

impl RedactedStream {
    pub(super) fn new(search: Option<Arc<Search>>) -> Self {
        Self { search, held: String::new() }
    }

    /// Takes a piece, and gives what of the text can be shown now: all of it unless it ends like a secret begins.
    pub fn push(&mut self, piece: &str) -> String {
        let Some(search) = &self.search else { return piece.to_owned() };
        self.held.push_str(piece);
        let regions = search.regions_of_text(&self.held);
        let open = search.open_end(self.held.as_bytes());
        // What reaches into the open end may yet grow.
        let growing = regions.iter().find(|region| region.end > open).map(|region| region.start);
        let upto = growing.map_or(open, |start| start.min(open));
        let known: Vec<_> = regions.into_iter().filter(|region| region.end <= upto).collect();
        let rest = self.held.split_off(upto);
        let ready = std::mem::replace(&mut self.held, rest);
        search.replace_in_text(ready, &known)
    }

    /// The rest, when nothing more comes.
    pub fn finish(&mut self) -> String {
        Redactor(self.search.clone()).string(std::mem::take(&mut self.held))
    }
}

/// Shows nothing of what it holds.
impl std::fmt::Debug for RedactedStream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "RedactedStream({} bytes held)", self.held.len())
    }
}
