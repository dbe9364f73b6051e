//! Interpreters: a program in an argument is not looked into.

use super::step::Step;
use crate::shell::names;

/// What an interpreter runs: a file is a program like any other; text of a program is not known.
pub(super) fn step(name: &str, arguments: &[String]) -> Option<Step> {
    let name = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    if matches!(
        name,
        "awk" | "gawk" | "mawk" | "nawk" | "expect" | "tclsh" | "osascript" | "vim" | "vi" | "ed"
    ) {
        return Some(Step::unknown());
    }
    if !matches!(
        name,
        "python"
            | "pypy"
            | "perl"
            | "node"
            | "nodejs"
            | "ruby"
            | "php"
            | "lua"
            | "luajit"
            | "deno"
            | "bun"
            | "Rscript"
            | "guile"
            | "ghci"
            | "irb"
            | "ipython"
    ) {
        return None;
    }
    let known = match arguments.first().map(String::as_str) {
        Some("--version" | "--help") => true,
        Some("-m") => name == "python",
        Some("eval") => !matches!(name, "deno" | "bun"),
        Some(file) => !file.starts_with('-') && !names::is_shell(file),
        None => false,
    };
    Some(if known { Step::nothing() } else { Step::unknown() })
}
