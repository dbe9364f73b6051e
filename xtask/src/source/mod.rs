//! The repository as plain data: texts, Rust sources in the views that rules need, and workspace members.
//!
//! Rules read a [`Tree`] and nothing else, so a test builds one from a few strings. Rust is cut into tokens by the lexer of
//! rustc and is not parsed: no rule asks for more, the body of a macro is nothing but tokens anyway, and a parser takes
//! several times as long as everything else that `tidy` does.

mod members;
mod paths;
mod read;
mod rust;
mod test_code;
mod tokens;
mod tree;

pub(crate) use members::{Dependency, DependencyKind, Member};
pub(crate) use paths::NamedPath;
pub(crate) use read::read_tree;
pub(crate) use rust::{Attribute, Rust};
pub(crate) use tree::{File, Tree};
