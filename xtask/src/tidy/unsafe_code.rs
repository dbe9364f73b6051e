//! `unsafe` lives in one file of the sandbox and in the test support, and nowhere else.

use super::finding::Finding;
use crate::source::Tree;

const FREE: &[&str] = &["crates/onward-sandbox/src/sys.rs", "crates/onward-test/"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in
        tree.rust().filter(|(file, _)| !FREE.iter().any(|folder| file.path.starts_with(folder)))
    {
        findings.extend(rust.words.iter().filter(|word| word.text == "unsafe").map(|word| {
            let message =
                "`unsafe` outside onward-sandbox/src/sys.rs and onward-test, use a safe wrapper such as rustix";
            Finding::failure(&file.path, word.line, message)
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
    fn unsafe_is_found_in_tests_too() {
        for bad in [
            "fn g() { unsafe { f() } }",
            "m!(unsafe { f() });",
            "#[unsafe(no_mangle)] fn f() {}",
            "unsafe impl Send for A {}",
        ] {
            let tree = Tree::of(&[("crates/onward/src/a.rs", bad), ("crates/onward/tests/it.rs", bad)]);
            assert_eq!(
                places(&check(&tree)),
                ["crates/onward/src/a.rs:1", "crates/onward/tests/it.rs:1"],
                "{bad}"
            );
        }
    }

    #[test]
    fn the_rest_of_the_sandbox_has_none() {
        let tree = Tree::of(&[("crates/onward-sandbox/src/lib.rs", "fn f() { unsafe {} }")]);
        assert_eq!(places(&check(&tree)), ["crates/onward-sandbox/src/lib.rs:1"]);
    }

    #[test]
    fn the_sandbox_the_support_and_words_pass() {
        let tree = Tree::of(&[
            ("crates/onward-sandbox/src/sys.rs", "fn f() { unsafe {} }"),
            ("crates/onward-test/src/lib.rs", "fn f() { unsafe {} }"),
            ("crates/onward/src/main.rs", "#![forbid(unsafe_code)] // unsafe\nconst A: &str = \"unsafe\";"),
        ]);
        assert_eq!(check(&tree), []);
    }
}
