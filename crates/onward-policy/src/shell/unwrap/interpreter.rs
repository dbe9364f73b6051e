//! Interpreters: a program in an argument is not looked into.

use super::awk;
use super::step::Step;
use crate::shell::names;

/// What an interpreter runs: a file is a program like any other; text of a program is not known.
pub(super) fn step(name: &str, arguments: &[String]) -> Option<Step> {
    let name = name.trim_end_matches(|character: char| character.is_ascii_digit() || character == '.');
    if matches!(name, "awk" | "gawk" | "mawk" | "nawk") {
        return Some(awk::step(arguments));
    }
    if matches!(name, "expect" | "tclsh" | "osascript" | "vim" | "vi" | "ed") {
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
        // The first looks at a file and does not run it; the second runs the tests of the folder, or of these files.
        Some("--check") => name == "node" && arguments.len() == 2 && files(arguments),
        Some("--test") => name == "node" && files(arguments),
        Some(file) => !file.starts_with('-') && !names::is_shell(file),
        None => false,
    };
    Some(if known { Step::nothing() } else { Step::unknown() })
}

/// Whether all words behind the first are no options.
fn files(arguments: &[String]) -> bool {
    arguments.iter().skip(1).all(|word| !word.starts_with('-'))
}
