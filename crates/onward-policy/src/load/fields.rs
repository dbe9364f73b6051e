//! The keys of one table, each taken once; what is left over is unknown.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::source::Source;
use crate::suggest::suggestion;

/// Something with its place.
#[derive(Clone, Debug)]
pub(super) struct At<T> {
    /// It.
    pub(super) it: T,
    /// Where it stands.
    pub(super) at: Range<usize>,
}

/// A table that is being read.
pub(super) struct Fields<'a> {
    table: &'a DeTable<'a>,
    /// What the table is called, for words.
    what: &'static str,
    taken: Vec<&'static str>,
    /// Where the table stands.
    pub(super) at: Range<usize>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(table: &'a DeTable<'a>, what: &'static str, at: Range<usize>) -> Self {
        Self { table, what, taken: Vec::new(), at }
    }

    /// The value of a key.
    pub(super) fn value(&mut self, key: &'static str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.taken.push(key);
        self.table.get(key)
    }

    /// A text.
    pub(super) fn text(&mut self, source: &mut Source<'_>, key: &'static str) -> Option<At<String>> {
        let value = self.value(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(At { it: text.to_string(), at: value.span() }),
            _ => {
                source.wrong(
                    &value.span(),
                    format!("`{key}` must be a text"),
                    format!("write {key} = \"…\""),
                );
                None
            }
        }
    }

    /// A text that has to be there.
    pub(super) fn needed(
        &mut self,
        source: &mut Source<'_>,
        key: &'static str,
        example: &str,
    ) -> Option<At<String>> {
        if self.table.get(key).is_none() {
            self.taken.push(key);
            source.wrong(
                &self.at,
                format!("a {} needs `{key}`", self.what),
                format!("write {key} = \"{example}\""),
            );
            return None;
        }
        self.text(source, key)
    }

    /// A list of texts.
    pub(super) fn texts(
        &mut self,
        source: &mut Source<'_>,
        key: &'static str,
    ) -> Option<At<Vec<At<String>>>> {
        let value = self.value(key)?;
        let it = texts_of(source, value, key)?;
        Some(At { it, at: value.span() })
    }

    /// True or false.
    pub(super) fn switch(&mut self, source: &mut Source<'_>, key: &'static str) -> Option<At<bool>> {
        let value = self.value(key)?;
        match value.get_ref() {
            DeValue::Boolean(it) => Some(At { it: *it, at: value.span() }),
            _ => {
                let instead = format!("write {key} = true, or leave it out");
                source.wrong(&value.span(), format!("`{key}` must be true or false"), instead);
                None
            }
        }
    }

    /// Where a key stands, for faults about it.
    pub(super) fn place(&self, key: &str) -> Range<usize> {
        self.table.get(key).map_or(self.at.clone(), Spanned::span)
    }

    /// Tells about the keys that nobody took.
    pub(super) fn finish(&self, source: &mut Source<'_>) {
        for key in self.table.keys() {
            let name = key.get_ref().as_ref();
            if self.taken.contains(&name) {
                continue;
            }
            let instead = match suggestion(name, self.taken.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("keys of a {}: {}", self.what, self.taken.join(", ")),
            };
            source.wrong(&key.span(), format!("a {} has no key `{name}`", self.what), instead);
        }
    }
}

/// A list of texts, of which nothing is taken when one of them is something else.
pub(super) fn texts_of(
    source: &mut Source<'_>,
    value: &Spanned<DeValue<'_>>,
    key: &str,
) -> Option<Vec<At<String>>> {
    let texts = value.get_ref().as_array().map(|items| {
        let text = |item: &Spanned<DeValue<'_>>| {
            item.get_ref().as_str().map(|text| At { it: text.to_owned(), at: item.span() })
        };
        items.iter().map(text).collect::<Option<Vec<_>>>()
    });
    if let Some(Some(texts)) = texts {
        return Some(texts);
    }
    source.wrong(&value.span(), format!("`{key}` must be a list of texts"), format!("write {key} = [\"…\"]"));
    None
}
