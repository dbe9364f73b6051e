//! Every source starts by saying what it is for.

use super::finding::Finding;
use crate::source::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let undocumented = tree.sources().filter(|(_, file, _)| !starts_with_doc(&file.text));
    let finding = |path: &str| {
        Finding::failure(
            path,
            1,
            "no module doc, start the first line with `//!` and say what the file is for",
        )
    };
    undocumented.map(|(_, file, _)| finding(&file.path)).collect()
}

fn starts_with_doc(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("//!").is_some_and(|doc| !doc.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn every_source_needs_one() {
        for bad in ["", "//!\nuse a;", "// Plain.\n", "use a;\n//! Late.", "/// Of an item.\nstruct A;"] {
            let tree = Tree::of(&[("crates/onward-core/src/turn/mod.rs", bad), ("xtask/src/main.rs", bad)]);
            assert_eq!(
                places(&check(&tree)),
                ["crates/onward-core/src/turn/mod.rs:1", "xtask/src/main.rs:1"],
                "{bad}"
            );
        }
    }

    #[test]
    fn documented_sources_and_tests_pass() {
        let tree = Tree::of(&[
            ("crates/onward/src/main.rs", "//! The binary.\n"),
            ("crates/onward/tests/it.rs", "fn f() {}"),
        ]);
        assert_eq!(check(&tree), []);
    }
}
