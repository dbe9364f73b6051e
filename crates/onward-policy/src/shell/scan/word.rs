//! One word of an opaque script.

use crate::shell::names;

/// A word, unquoted as far as its text is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Word {
    pub(super) text: String,
    /// Nothing in it depends on variables, files or other commands.
    pub(super) known: bool,
    /// A part of it was quoted: then it is no word of the grammar.
    pub(super) quoted: bool,
    /// How many bytes stood before the first quote.
    pub(super) bare: usize,
}

impl Word {
    /// The word as one of the grammar, unless it was quoted.
    pub(super) fn keyword(&self) -> Option<&str> {
        (!self.quoted).then_some(self.text.as_str())
    }

    /// The parts of `NAME=value`, `NAME+=value` or `NAME[..]=value`.
    pub(super) fn assignment(&self) -> Option<(String, String)> {
        let (name, value) = self.text.split_once('=')?;
        let plain = name.strip_suffix('+').unwrap_or(name);
        let plain = plain.split('[').next().unwrap_or(plain);
        let assigns = name.len() < self.bare && names::is_variable(plain);
        assigns.then(|| (plain.to_owned(), value.to_owned()))
    }
}
