//! Reading rules: TOML, with every fault of a file told at once, by its place, and with what to write instead.
//!
//! - [`error`]: what is told.
//! - [`source`]: places in a text.
//! - [`fields`]: the keys of one table.
//! - [`words`]: words that stand for modes, risks and the like.
//! - [`paths`]: path patterns.
//! - [`argv`]: argument vectors.
//! - [`rule`], [`grant`]: one table each.
//! - [`traps`]: rules that would do something else than they seem to.
//! - [`examples`]: `match` and `not_match`.
//! - [`file`]: one file.
//! - [`layers`]: all files together.

mod argv;
mod error;
mod examples;
mod fields;
mod file;
mod grant;
mod layers;
mod paths;
mod rule;
mod source;
mod syntax;
mod traps;
mod words;

pub use error::{LoadError, LoadErrors};
pub(crate) use file::{Parsed, parse};
pub use layers::{LayerFile, LayerText};
pub(crate) use layers::{read_files, read_texts};
