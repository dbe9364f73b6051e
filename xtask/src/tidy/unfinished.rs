//! Nothing unfinished is committed: what is left to do belongs in a list of things to do, not in a source.
//!
//! `todo!` and `unimplemented!` are found by clippy.

use super::finding::Finding;
use crate::source::Tree;

const MARKS: &[&str] = &["TODO", "FIXME", "XXX"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in tree.rust() {
        // Literals are left out: a program may well speak of such marks.
        let names = rust.words.iter().map(|word| (word.line, word.text.as_str()));
        let texts = rust.comments.iter().map(|(line, text)| (*line, text.as_str())).chain(names);
        let marks = texts.filter_map(|(line, text)| Some((line, mark(text)?)));
        findings.extend(marks.map(|(line, mark)| {
            let message = format!(
                "`{mark}` marks unfinished work, finish it or return an error that says what is missing"
            );
            Finding::failure(&file.path, line, message)
        }));
    }
    findings
}

fn mark(text: &str) -> Option<&str> {
    text.split(|character: char| !character.is_alphanumeric() && character != '_')
        .find(|word| MARKS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn marks_are_found() {
        for bad in [
            "// TODO: a",
            "/* FIXME */",
            "fn f() {} /// XXX\nfn g() {}",
            "m!(a /* TODO */);",
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
        let good = "fn todo_list() { f(\"TODO\", TODO_LIST) } // a to-do list, XXXL";
        assert_eq!(check(&Tree::of(&[("crates/onward-core/src/lib.rs", good)])), []);
    }
}
