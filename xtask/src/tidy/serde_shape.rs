//! The formats that others read have one shape each: no `flatten` and no `untagged`.
//!
//! With either, what a reader accepts depends on the order of fields and variants, unknown fields cannot be told
//! from known ones, and an error says no more than "matched no variant". A new variant may then change the
//! meaning of an old record.

use super::finding::Finding;
use crate::source::Tree;

const FORMATS: &[&str] = &["onward-event", "onward-wire"];
const FORBIDDEN: &[&str] = &["flatten", "untagged"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (_, file, rust) in tree.sources().filter(|(member, ..)| FORMATS.contains(member)) {
        for attribute in &rust.attributes {
            let found = FORBIDDEN.iter().filter(|word| attribute.words.iter().any(|it| it == *word));
            findings.extend(found.map(|word| {
                let message =
                    format!("`{word}` in a format that others read, write the fields out or name a tag");
                Finding::failure(&file.path, attribute.line, message)
            }));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn formats_have_one_shape() {
        for bad in [
            "struct S { #[serde(flatten)] a: A }",
            "struct S { #[serde(default, flatten)] a: A }",
            "#[serde(\n    untagged\n)] enum E {}",
            "#[cfg_attr(unix, serde(untagged))] enum E {}",
            "events! { #[serde(untagged)] enum E {} }",
        ] {
            let tree =
                Tree::of(&[("crates/onward-event/src/a.rs", bad), ("crates/onward-wire/src/a.rs", bad)]);
            assert_eq!(
                places(&check(&tree)),
                ["crates/onward-event/src/a.rs:1", "crates/onward-wire/src/a.rs:1"],
                "{bad}"
            );
        }
    }

    #[test]
    fn iterators_and_foreign_formats_pass() {
        let tree = Tree::of(&[
            (
                "crates/onward-event/src/a.rs",
                "#[serde(tag = \"flatten\")] fn f() { x.flatten() } // #[serde(flatten)]",
            ),
            ("crates/onward-model/src/a.rs", "#[serde(untagged)] enum E {}"),
        ]);
        assert_eq!(check(&tree), []);
    }
}
