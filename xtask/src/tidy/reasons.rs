//! Whoever silences a lint says why, and in a way that ends by itself: `#[expect]` warns once it is needless.

use super::finding::Finding;
use crate::source::{Tree, attributes, words};

const LEVELS: &[&str] = &["allow", "expect"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, rust) in tree.rust() {
        for attribute in attributes(&rust.code) {
            let silences = |level: &&&str| {
                words(attribute.text, level).any(|at| opens(&attribute.text[at + level.len()..]))
            };
            let Some(level) = LEVELS.iter().find(silences) else { continue };
            if words(attribute.text, "reason").next().is_none() {
                let message = format!("`{level}` without a reason, write `#[expect(lint, reason = \"..\")]`");
                findings.push(Finding::failure(&file.path, rust.line(attribute.at), message));
            }
        }
    }
    findings
}

fn opens(rest: &str) -> bool {
    rest.trim_start().starts_with('(')
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    #[test]
    fn silence_needs_a_reason() {
        for bad in [
            "#[allow(dead_code)] fn f() {}",
            "#![allow(missing_docs)]",
            "#[expect(\n    dead_code\n)] fn f() {}",
            "#[cfg_attr(unix, allow(dead_code))] fn f() {}",
            "#[allow(dead_code)] // reason = \"a comment is none\"",
        ] {
            assert_eq!(
                places(&check(&Tree::of(&[("crates/a/tests/it.rs", bad)]))),
                ["crates/a/tests/it.rs:1"],
                "{bad}"
            );
        }
    }

    #[test]
    fn reasons_and_other_attributes_pass() {
        let good = "#[expect(dead_code, reason = \"read by the debugger\")]\n#[should_panic(expected = \"a\")]\n\
                    #[allow(x, reason = \"the lint fires on one platform only\")]\nfn f() { x.expect(\"a\") }";
        assert_eq!(check(&Tree::of(&[("crates/a/src/lib.rs", good)])), []);
    }
}
