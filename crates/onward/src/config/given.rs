//! One value that a layer gives for a key, before it is known to make sense.

use std::path::{Path, PathBuf};

use onward_policy::suggestion;

use super::environment::Environment;
use super::money::scaled;
use super::source::{Source, Sourced};

/// A value as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Raw {
    /// A variable or an option: text that stands for whatever the key wants.
    Untyped(String),
    /// A text of a file.
    Text(String),
    /// A whole number of a file.
    Integer(i64),
    /// A decimal number of a file, as written.
    Decimal(String),
    /// A list of texts of a file.
    List(Vec<String>),
    /// Something that no key wants.
    Other(&'static str),
}

/// What is wrong with a value. Never repeats the value: it may be a secret in the wrong place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It does not make sense: a sentence that goes on from the key's name.
    Is(String),
    /// A project's file would loosen what it may only tighten.
    Loosens {
        /// What holds without it.
        from: String,
        /// What it says.
        to: String,
    },
}

/// A value for a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given<'a> {
    /// What stands for the stars of the key's path.
    pub(super) names: &'a [String],
    /// The value as it was written.
    pub(super) raw: &'a Raw,
    /// Where.
    pub(super) source: &'a Source,
    /// For paths.
    pub(super) environment: &'a Environment,
}

impl Wrong {
    pub(super) fn is(what: impl Into<String>) -> Self {
        Self::Is(what.into())
    }
}

impl<'a> Given<'a> {
    /// What stands for the n-th star of the key's path.
    pub(super) fn name(&self, n: usize) -> &'a str {
        self.names.get(n).map_or("", String::as_str)
    }

    /// This value, with its source.
    pub(super) fn sourced<T>(&self, value: T) -> Sourced<T> {
        Sourced { value, source: self.source.clone() }
    }

    /// This value, with its source, unless it is a project's and beyond the current one.
    pub(super) fn at_most<T: Copy + PartialOrd>(
        &self,
        current: T,
        value: T,
        show: impl Fn(T) -> String,
    ) -> Result<Sourced<T>, Wrong> {
        match self.source.is_project() && value > current {
            true => Err(Wrong::Loosens { from: show(current), to: show(value) }),
            false => Ok(self.sourced(value)),
        }
    }

    /// What the word stands for, out of these.
    pub(super) fn one_of<T: Copy, const N: usize>(&self, words: [(&'static str, T); N]) -> Result<T, Wrong> {
        let given = self.text()?;
        if let Some((_, meant)) = words.iter().find(|(word, _)| *word == given) {
            return Ok(*meant);
        }
        let words = words.map(|(word, _)| word);
        let list = words.join(", ");
        Err(Wrong::is(match suggestion(given, words) {
            Some(near) => format!("must be one of {list}; did you mean `{near}`?"),
            None => format!("must be one of {list}"),
        }))
    }

    /// A text.
    pub(super) fn text(&self) -> Result<&'a str, Wrong> {
        match self.raw {
            Raw::Untyped(text) | Raw::Text(text) => Ok(text),
            other => Err(wanted("a text in quotes", other)),
        }
    }

    /// A whole number of at least `least`.
    pub(super) fn count(&self, least: u64) -> Result<u64, Wrong> {
        let number = match self.raw {
            Raw::Integer(number) => u64::try_from(*number).ok(),
            Raw::Untyped(text) => text.parse().ok(),
            other => return Err(wanted("a whole number", other)),
        };
        number
            .filter(|n| *n >= least)
            .ok_or_else(|| Wrong::is(format!("must be a whole number of at least {least}")))
    }

    /// A decimal number, times ten to the power of `places`. A quoted one is accepted too: it is the way to write one
    /// that no reader of TOML rounds.
    pub(super) fn decimal(&self, places: u32) -> Result<u64, Wrong> {
        let text = match self.raw {
            Raw::Integer(number) => number.to_string(),
            Raw::Untyped(text) | Raw::Text(text) | Raw::Decimal(text) => text.replace('_', ""),
            other => return Err(wanted("a decimal number", other)),
        };
        scaled(&text, places).map_err(|why| Wrong::is(format!("is no valid number: {why}")))
    }

    /// A list of names; in a variable, with commas between.
    pub(super) fn list(&self) -> Result<Vec<String>, Wrong> {
        match self.raw {
            Raw::List(items) => Ok(items.clone()),
            Raw::Untyped(text) => Ok(text.split(',').map(|item| item.trim().to_owned()).collect()),
            other => Err(wanted("a list of texts", other)),
        }
    }

    /// A list of paths, each as [`Given::path`] reads one; in a variable or an option, with colons between.
    pub(super) fn paths(&self) -> Result<Vec<PathBuf>, Wrong> {
        let items = match self.raw {
            Raw::List(items) => items.clone(),
            Raw::Untyped(text) => text.split(':').map(str::to_owned).collect(),
            other => return Err(wanted("a list of texts", other)),
        };
        items.iter().map(|item| self.environment.path(item, self.base()).map_err(Wrong::Is)).collect()
    }

    /// A path. In a file, what is relative starts at the file's folder, else at the current one.
    pub(super) fn path(&self) -> Result<PathBuf, Wrong> {
        self.environment.path(self.text()?, self.base()).map_err(Wrong::Is)
    }

    fn base(&self) -> &'a Path {
        match self.source {
            Source::File { path, .. } => path.parent().unwrap_or(&self.environment.cwd),
            Source::Default | Source::Variable(_) | Source::Flag(_) => &self.environment.cwd,
        }
    }
}

fn wanted(what: &str, raw: &Raw) -> Wrong {
    let given = match raw {
        Raw::Untyped(_) | Raw::Text(_) => "a text",
        Raw::Integer(_) => "a whole number",
        Raw::Decimal(_) => "a decimal number",
        Raw::List(_) => "a list",
        Raw::Other(what) => what,
    };
    Wrong::is(format!("must be {what}, and is {given}"))
}
