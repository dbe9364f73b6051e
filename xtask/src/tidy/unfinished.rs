//! Nothing unfinished is committed: what is left to do belongs in a list of things to do, not in a source.

use super::finding::Finding;
use crate::source::{Tree, words};

const MACROS: &[&str] = &["todo", "unimplemented"];
const MARKS: &[&str] = &["TODO", "FIXME", "XXX"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in tree.rust() {
        let macros = MACROS.iter().flat_map(|name| {
            let calls = words(&rust.code, name).filter(|at| rust.code[at + name.len()..].starts_with('!'));
            calls.map(move |at| (at, format!("{name}!")))
        });
        // Literals are left out: a program may well speak of such marks.
        let marks = MARKS.iter().flat_map(|mark| {
            let found = words(&rust.comments, mark).chain(words(&rust.code, mark));
            found.map(move |at| (at, (*mark).to_owned()))
        });
        findings.extend(macros.chain(marks).map(|(at, what)| {
            let message = format!(
                "`{what}` marks unfinished work, finish it or return an error that says what is missing"
            );
            Finding::failure(&file.path, rust.line(at), message)
        }));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn marks_and_macros_are_found() {
        for bad in [
            "fn f() { todo!() }",
            "unimplemented!(\"a\")",
            "// TODO: a",
            "/* FIXME */",
            "//! XXX",
            "const TODO: u8 = 0;",
        ] {
            for path in ["crates/onward-core/src/lib.rs", "crates/onward-core/tests/it.rs"] {
                assert_eq!(places(&check(&Tree::of(&[(path, bad)]))), [format!("{path}:1")], "{bad}");
            }
        }
    }

    #[test]
    fn literals_and_longer_words_pass() {
        let good = "fn todo_list() { f(\"TODO\", \"todo!()\", todo) } // a to-do list, XXXL";
        assert_eq!(check(&Tree::of(&[("crates/onward-core/src/lib.rs", good)])), []);
    }
}
