//! Processes are started in few places, all of which are named here: a second way to run commands would go around policy,
//! sandbox, environment and supervision.
//!
//! Nothing can be started without naming what starts it, so that is what is looked for. Test code and the workspace's own
//! tools are free.

use super::finding::Finding;
use crate::source::{Rust, Tree};

const FREE: &[&str] = &["onward-test", "xtask"];

/// The files that start processes, and why each of them may.
const PLACES: &[(&str, &str)] = &[
    (
        "crates/onward-sandbox/src/executor/supervisor.rs",
        "starts this program as the supervisor of one command",
    ),
    ("crates/onward-sandbox/src/supervisor/run.rs", "starts a command whose sandbox was waived"),
    ("crates/onward-sandbox/src/start.rs", "starts this program as the launcher of one sandbox"),
    ("crates/onward-sandbox/src/launch/command.rs", "prepares the command itself, inside of its sandbox"),
    ("crates/onward-sandbox/src/launch/landlock.rs", "becomes the command that was prepared"),
    ("crates/onward-sandbox/src/launch/seccomp/mod.rs", "names calls in order to refuse them"),
    (
        "crates/onward-sandbox/src/sys.rs",
        "makes supervisors, a launcher, and process 1 of the namespaces, by a fork",
    ),
    ("crates/onward/src/demo/worker.rs", "starts this program again, to kill it in the demonstration"),
];

/// What has to be named to start a process, or to become another program.
const STARTERS: &[&str] = &[
    "process::Command",
    "process::*",
    "libc::fork",
    "libc::vfork",
    "libc::clone",
    "libc::clone3",
    "libc::SYS_clone",
    "libc::SYS_clone3",
    "libc::SYS_fork",
    "libc::SYS_vfork",
    "libc::SYS_execve",
    "libc::SYS_execveat",
    "libc::execv",
    "libc::execve",
    "libc::execveat",
    "libc::execvp",
    "libc::fexecve",
    "libc::popen",
    "libc::posix_spawn",
    "libc::posix_spawnp",
    "libc::system",
    "rustix::runtime",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (member, file, rust) in tree.sources() {
        let named = PLACES.iter().any(|(path, _)| *path == file.path);
        if FREE.contains(&member) || named {
            continue;
        }
        findings.extend(starters(rust).map(|(line, what)| {
            let message = format!(
                "`{what}` can start a process, run it by the executor port; if this has to be a place of its own, name \
                 it with its reason in xtask/src/tidy/spawning.rs"
            );
            Finding::failure(&file.path, line, message)
        }));
    }
    findings.extend(PLACES.iter().filter_map(|(path, _)| outlived(tree, path)));
    findings
}

fn starters(rust: &Rust) -> impl Iterator<Item = (usize, &str)> {
    let paths = rust.product.paths.iter().filter(|path| !path.after_dot);
    paths
        .filter(|path| STARTERS.iter().any(|starter| path.contains(starter)))
        .map(|path| (path.line, path.text.as_str()))
}

/// The list must not outlive what it is about.
fn outlived(tree: &Tree, path: &str) -> Option<Finding> {
    let rust = tree.file(path)?.rust()?;
    let message = "is named as a place where processes start and is none, take it off the list in \
                   xtask/src/tidy/spawning.rs";
    starters(rust).next().is_none().then(|| Finding::failure(path, 1, message))
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    /// SHELL-44
    #[test]
    fn processes_start_in_named_places() {
        for bad in [
            "use std::process::Command;",
            "use std::process::{Child, Command};",
            "use std::process::*;",
            "use std::process; fn f() { process::Command::new(x) }",
            "fn f() { tokio::process::Command::new(x).spawn() }",
            "fn f() { unsafe { libc::execve(a, b, c) } }",
            "use libc::fork;",
            "fn f() { select! { a = tokio::process::Command::new(x).status() => a } }",
        ] {
            let tree = Tree::of(&[("crates/onward-tools/src/shell.rs", bad)]);
            assert_eq!(places(&check(&tree)), ["crates/onward-tools/src/shell.rs:1"], "{bad}");
        }
    }

    #[test]
    fn named_places_tests_and_other_commands_may() {
        let starts = "use std::process::Command; fn f() { Command::new(x).spawn() }";
        let tree = Tree::of(&[
            ("crates/onward-sandbox/src/start.rs", starts),
            ("crates/onward-tools/tests/it.rs", starts),
            ("crates/onward-tools/src/lib.rs", "#[cfg(test)] mod tests { use std::process::Command; }"),
            (
                "crates/onward/src/main.rs",
                "use std::process::ExitCode; use clap::Command; fn f() { tokio::spawn(x) }",
            ),
            ("xtask/src/main.rs", starts),
        ]);
        assert_eq!(check(&tree), []);
    }

    #[test]
    fn a_place_that_starts_nothing_is_named_no_more() {
        let tree = Tree::of(&[("crates/onward-sandbox/src/start.rs", "fn f() {}")]);
        assert_eq!(places(&check(&tree)), ["crates/onward-sandbox/src/start.rs:1"]);
    }
}
