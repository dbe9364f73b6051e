//! Taking secrets out by their value: one [`Redactor`] knows every configured secret, and everything that is recorded,
//! stored, streamed or printed passes it (seed, section 17).
//!
//! It finds a value as it is and in the forms that programs commonly give it (`forms.rs`), whole or cut short, in one line
//! or broken into several (`wrapped.rs`), and in hexadecimal dumps (`dump.rs`), and puts `[secret:NAME]` in its place. It is a net against accidents: whoever can run a program that knows a secret can always
//! write it in a form that nobody has thought of.

mod dump;
mod event;
mod finder;
mod forms;
mod search;
mod stream;
#[cfg(test)]
mod tests;
mod view;
mod wrapped;

use std::borrow::Cow;
use std::sync::Arc;

pub use stream::RedactedStream;

use crate::Secret;
use search::Search;

/// Bytes of the shortest value that is looked for: a shorter one would be found by chance in any text, and hide words
/// that are no secret.
pub const SHORTEST_SECRET: usize = 8;

/// Bytes of the beginning of a form that give it away wherever they stand, because the rest was cut off.
pub const TELLTALE: usize = 16;

/// A secret, and what it is called where it stood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedSecret {
    /// For people: the variable that it is in, or its place in the configuration.
    pub name: String,
    /// The value.
    pub value: Secret,
}

/// Knows the values that nothing may show. Cheap to clone; the default one knows none and changes nothing.
#[derive(Clone, Default)]
pub struct Redactor(Option<Arc<Search>>);

impl Redactor {
    /// Knows these secrets; those shorter than [`SHORTEST_SECRET`] are left out.
    pub fn new(secrets: impl IntoIterator<Item = NamedSecret>) -> Self {
        Self(Search::new(secrets).map(Arc::new))
    }

    /// Whether it knows no secret at all.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Whether a text holds a secret, whole or cut short.
    pub fn finds(&self, bytes: &[u8]) -> bool {
        self.0.as_ref().is_some_and(|search| !search.regions(bytes).is_empty())
    }

    /// The text without secrets.
    pub fn text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let Some(search) = &self.0 else { return Cow::Borrowed(text) };
        match search.regions_of_text(text, 0) {
            regions if regions.is_empty() => Cow::Borrowed(text),
            regions => Cow::Owned(search.replace_in_text(text.to_owned(), &regions)),
        }
    }

    /// As [`Redactor::text`], for a text that is owned.
    pub fn string(&self, text: String) -> String {
        match self.text(&text) {
            Cow::Borrowed(_) => text,
            Cow::Owned(clean) => clean,
        }
    }

    /// Bytes without secrets.
    pub fn bytes<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        self.replaced(bytes, Search::mark)
    }

    /// Bytes without secrets, each replaced by as many bytes, so that positions in them stay what they were.
    pub fn mask<'a>(&self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        self.replaced(bytes, Search::fitted_mark)
    }

    /// How many bytes at the start are the rest of a secret whose beginning was cut off.
    pub fn cut_at_start(&self, bytes: &[u8]) -> usize {
        self.0.as_ref().map_or(0, |search| search.cut_at_start(bytes))
    }

    /// Bytes before and after a part of a text that must be seen to find every secret that reaches into it.
    pub fn margin(&self) -> usize {
        self.0.as_ref().map_or(0, |search| search.margin())
    }

    /// For text that arrives in pieces: finds what is split between two of them.
    pub fn stream(&self) -> RedactedStream {
        RedactedStream::new(self.0.clone())
    }

    fn replaced<'a>(
        &self,
        bytes: &'a [u8],
        mark: impl Fn(&Search, &search::Region) -> String,
    ) -> Cow<'a, [u8]> {
        let Some(search) = &self.0 else { return Cow::Borrowed(bytes) };
        match search.regions(bytes) {
            regions if regions.is_empty() => Cow::Borrowed(bytes),
            regions => Cow::Owned(search.replace(bytes, &regions, mark)),
        }
    }
}

/// Says how many it knows, never which.
impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redactor({} secrets)", self.0.as_ref().map_or(0, |search| search.len()))
    }
}
