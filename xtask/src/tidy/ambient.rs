//! Only the binary reads the environment, the home folder and the current directory.
//!
//! Configuration is read once, at the edge, into plain values; a library that looks around for itself cannot be
//! tested or embedded. Test code and the workspace's own tools are free.

use super::finding::Finding;
use crate::source::{NamedPath, Tree};

const FREE: &[&str] = &["onward", "onward-test", "xtask"];

/// Modules and crates whose purpose is to read surroundings.
const MODULES: &[&str] = &["std::env", "dirs", "directories", "etcetera"];
/// What is called through `env` once that is imported. Not all of `env`: a crate may have such a module of its own.
const ENV_FUNCTIONS: &[&str] =
    &["env::var", "env::var_os", "env::vars", "env::vars_os", "env::args", "env::args_os"];
/// Functions that read surroundings, wherever they come from.
const FUNCTIONS: &[&str] = &["current_dir", "set_current_dir", "home_dir", "temp_dir", "getcwd", "chdir"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file, rust) in tree.sources().filter(|(member, ..)| !FREE.contains(member)) {
        findings.extend(rust.product.paths.iter().filter(|path| is_ambient(path)).map(|path| {
            let what = &path.text;
            Finding::failure(
                &file.path,
                path.line,
                format!(
                    "`{what}` outside the binary, let the binary read it and take the value as an argument"
                ),
            )
        }));
    }
    findings
}

/// A method may have such a name: `Command::current_dir` sets the directory of a child, and reads nothing.
fn is_ambient(path: &NamedPath) -> bool {
    // A lone word such as `dirs` is a variable; with a segment behind it, it is the crate.
    let is_module = path.text.contains("::") && MODULES.iter().any(|module| path.is_within(module));
    let is_function = ENV_FUNCTIONS.iter().any(|function| path.is_within(function))
        || path.segments().any(|segment| FUNCTIONS.contains(&segment));
    !path.after_dot && (is_module || is_function)
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn libraries_do_not_look_around() {
        for bad in [
            "fn f() { std::env::var(\"HOME\") }",
            "use std::{env, fs};",
            "fn f() { env::var_os(x) }",
            "fn f() { let here = current_dir()?; }",
            "fn f() { dirs::home_dir() }",
            "fn f() { rustix::process::getcwd(x) }",
            "fn f() { vec![format!(\"{}\", std::env::args())] }",
            "macro_rules! home { () => { ::std::env::var(\"HOME\") } }",
        ] {
            let tree = Tree::of(&[("crates/onward-tools/src/shell.rs", bad)]);
            assert_eq!(places(&check(&tree)), ["crates/onward-tools/src/shell.rs:1"], "{bad}");
        }
    }

    #[test]
    fn the_edge_and_tests_may() {
        let text = "use std::env; fn f() { env::var(x); }";
        let tree = Tree::of(&[
            ("crates/onward/src/main.rs", text),
            ("crates/onward-test/src/lib.rs", text),
            ("xtask/src/main.rs", text),
            ("crates/onward-tools/tests/it.rs", text),
            ("crates/onward-tools/src/lib.rs", "#[cfg(test)] mod tests { use std::env; }"),
        ]);
        assert_eq!(check(&tree), []);
    }

    #[test]
    fn a_module_of_ones_own_may_be_called_env() {
        let good = "mod env; use env::{CheckEnv, Rebuilt}; fn f() { env::variant() }";
        assert_eq!(check(&Tree::of(&[("crates/onward-core/src/check/mod.rs", good)])), []);
    }

    #[test]
    fn a_childs_directory_is_no_reading() {
        let good = "fn f() { command.current_dir(folder); let dirs = env!(\"CARGO_PKG_VERSION\"); for dir in dirs {} }";
        assert_eq!(check(&Tree::of(&[("crates/onward-tools/src/shell.rs", good)])), []);
    }
}
