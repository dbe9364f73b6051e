//! The short list of commands that only look.
//!
//! Not on it: `git`, whose configuration in a repository makes even `git status` run programs; `help` and `man`, which
//! start pagers; everything that reads a program from its arguments.

mod check;
mod special;
mod table;

pub use check::harmless;
