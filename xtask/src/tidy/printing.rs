//! Only the binary and the workspace's own tools touch the terminal: a library returns what there is to say.

use super::finding::Finding;
use crate::source::{NamedPath, Tree};

const FREE: &[&str] = &["onward", "xtask"];
const MACROS: &[&str] = &["println", "eprintln", "print", "eprint"];
const STREAMS: &[&str] = &["io::stdout", "io::stderr", "io::stdin"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file, rust) in tree.sources().filter(|(member, ..)| !FREE.contains(member)) {
        findings.extend(rust.product.paths.iter().filter(|path| prints(path)).map(|path| {
            let mark = if path.is_macro { "!" } else { "" };
            let message =
                format!("`{}{mark}` in a library, return the text and let the binary print it", path.text);
            Finding::failure(&file.path, path.line, message)
        }));
    }
    findings
}

fn prints(path: &NamedPath) -> bool {
    let is_printer = path.segments().last().is_some_and(|name| MACROS.contains(&name));
    (path.is_macro && is_printer) || STREAMS.iter().any(|stream| path.contains(stream))
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn libraries_do_not_print() {
        for bad in [
            "println!(\"a\");",
            "std::eprint!(\"a\");",
            "macro_rules! say { () => { println!() } }",
            "fn f() { assert!(a, \"{}\", print!(\"b\")) }",
            "use std::io::{self, stdout};",
            "fn f() { io::stderr().lock() }",
            "fn f() { select! { a = tokio::io::stdin() => a } }",
        ] {
            let tree = Tree::of(&[("crates/onward-test/src/lib.rs", bad)]);
            assert_eq!(places(&check(&tree)), ["crates/onward-test/src/lib.rs:1"], "{bad}");
        }
    }

    #[test]
    fn the_edge_tests_and_words_may() {
        let tree = Tree::of(&[
            ("crates/onward/src/main.rs", "println!(\"a\");"),
            ("xtask/src/main.rs", "fn f() { std::io::stdout() }"),
            ("crates/onward-core/tests/it.rs", "println!(\"a\");"),
            (
                "crates/onward-core/src/lib.rs",
                "// println!\n#[cfg(test)] mod tests { fn f() { print!(\"a\") } }",
            ),
            (
                "crates/onward-tools/src/lib.rs",
                "fn f() { command.stdout(Stdio::piped()); let print = \"print!\"; print != x }",
            ),
        ]);
        assert_eq!(check(&tree), []);
    }
}
