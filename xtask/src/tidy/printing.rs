//! Only the binary and the workspace's own tools touch the terminal: a library returns what there is to say.

use super::finding::Finding;
use crate::source::{Rust, Tree, words};

const FREE: &[&str] = &["onward", "xtask"];
const MACROS: &[&str] = &["println", "eprintln", "print", "eprint"];
const STREAMS: &[&str] = &["io::stdout", "io::stderr", "io::stdin"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file, rust) in tree.sources().filter(|(member, ..)| !FREE.contains(member)) {
        let streams = rust.paths.iter().filter(|path| STREAMS.iter().any(|stream| path.contains(stream)));
        let found = macros(rust).chain(streams.map(|path| (path.at, path.text.clone())));
        findings.extend(found.map(|(at, what)| {
            let message = format!("`{what}` in a library, return the text and let the binary print it");
            Finding::failure(&file.path, rust.line(at), message)
        }));
    }
    findings
}

fn macros(rust: &Rust) -> impl Iterator<Item = (usize, String)> + '_ {
    MACROS.iter().flat_map(|name| {
        let calls = words(&rust.product, name).filter(|at| rust.product[at + name.len()..].starts_with('!'));
        calls.map(move |at| (at, format!("{name}!")))
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn libraries_do_not_print() {
        for bad in [
            "println!(\"a\")",
            "std::eprint!(\"a\")",
            "use std::io::{self, stdout};",
            "io::stderr().lock()",
            "tokio::io::stdin()",
        ] {
            let tree = Tree::of(&[("crates/onward-test/src/lib.rs", bad)]);
            assert_eq!(places(&check(&tree)), ["crates/onward-test/src/lib.rs:1"], "{bad}");
        }
    }

    #[test]
    fn the_edge_tests_and_words_may() {
        let tree = Tree::of(&[
            ("crates/onward/src/main.rs", "println!(\"a\")"),
            ("xtask/src/main.rs", "std::io::stdout()"),
            ("crates/onward-core/tests/it.rs", "println!(\"a\")"),
            (
                "crates/onward-core/src/lib.rs",
                "// println!\n#[cfg(test)] mod tests { fn f() { print!(\"a\") } }",
            ),
            (
                "crates/onward-tools/src/lib.rs",
                "command.stdout(Stdio::piped()); let print = \"print!\"; print != x",
            ),
        ]);
        assert_eq!(check(&tree), []);
    }
}
