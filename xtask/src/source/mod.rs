//! The repository as plain data: texts, Rust sources cut into code, comments and tests, and workspace members.
//!
//! Checks read a [`Tree`] and nothing else, so a test builds one from a few strings. The reading of Rust is by
//! characters, not by a parser: it is fast, it has no dependency, and it survives a file that does not compile.

mod attributes;
mod blocks;
mod functions;
mod manifest;
mod mask;
mod members;
mod paths;
mod read;
mod rust;
mod test_code;
mod tree;
mod words;

pub(crate) use attributes::attributes;
pub(crate) use functions::functions;
pub(crate) use manifest::{Entry, entries};
pub(crate) use members::{Dependency, DependencyKind, Member};
pub(crate) use paths::NamedPath;
pub(crate) use read::read_tree;
pub(crate) use rust::Rust;
pub(crate) use tree::{File, Tree};
pub(crate) use words::words;
