//! The workspace's files. Everything that the tools do to a file goes through here, and so through one handle on the
//! workspace's root: no name, `..` or symbolic link leads outside, and no race between a check and its use does.
//!
//! - [`paths`]: names, without looking at the disk.
//! - [`root`]: finding and opening what exists.
//! - [`target`]: where a change would go, and what is there now.
//! - [`replace`]: the change itself, whole or not at all.
//! - [`walk`]: what lies below a folder.
//! - [`faults`]: what went wrong, in words.

mod faults;
mod paths;
mod replace;
mod root;
mod target;
mod walk;

pub(crate) use faults::{kind_of, regular_only};
pub(crate) use paths::{Paths, Place};
pub(crate) use replace::{ReplaceError, Replacement, changed_meanwhile};
pub(crate) use root::{Files, Found};
pub(crate) use target::Target;
pub(crate) use walk::{Entry, Visited, Walk};
