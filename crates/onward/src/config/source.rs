//! Where a value comes from.

use std::fmt;
use std::path::PathBuf;

/// The files of configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileLayer {
    /// The person's own: may say everything.
    User,
    /// The project's: it may come from a stranger, so it may only choose and tighten.
    Project,
}

/// Where a value comes from, from the weakest to the strongest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// Built in.
    Default,
    /// A file.
    File {
        /// Whose.
        layer: FileLayer,
        /// Which.
        path: PathBuf,
        /// Counted from 1.
        line: usize,
    },
    /// This environment variable.
    Variable(String),
    /// This option of the command line.
    Flag(&'static str),
}

/// A value, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sourced<T> {
    /// The value.
    pub(crate) value: T,
    /// Where it comes from.
    pub(crate) source: Source,
}

impl Source {
    /// Whether it may only choose and tighten.
    pub(crate) fn is_project(&self) -> bool {
        matches!(self, Self::File { layer: FileLayer::Project, .. })
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File { path, line, .. } => write!(f, "{} line {line}", path.display()),
            Self::Variable(name) => f.write_str(name),
            Self::Flag(name) => f.write_str(name),
        }
    }
}

impl<T> Sourced<T> {
    /// A built-in value.
    pub(crate) fn default_value(value: T) -> Self {
        Self { value, source: Source::Default }
    }
}
