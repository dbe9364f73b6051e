//! Every source can be read: no other rule would see what is wrong in it.

use super::finding::Finding;
use crate::source::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let broken = tree.files.iter().filter_map(|file| Some((&file.path, file.rust.as_ref()?.as_ref().err()?)));
    broken
        .map(|(path, broken)| {
            let message = format!("{}, correct it: no other rule has seen this file", broken.reason);
            Finding::failure(path, broken.line, message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn what_cannot_be_read_is_found_wherever_it_stands() {
        for bad in ["\nfn f( {}", "\nfn f() { println!(\"a) }", "\n}"] {
            for path in ["crates/onward-core/src/a.rs", "crates/onward-core/tests/it.rs", "build.rs"] {
                assert_eq!(places(&check(&Tree::of(&[(path, bad)]))), [format!("{path}:2")], "{bad}");
            }
        }
    }

    #[test]
    fn sources_and_other_texts_pass() {
        let tree =
            Tree::of(&[("crates/onward-core/src/a.rs", "fn f() {}"), ("docs/a.md", "}"), ("b.rs", "")]);
        assert_eq!(check(&tree), []);
    }
}
