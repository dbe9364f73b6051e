//! No text names somebody's machine: a home folder, or the host that a registry was reached by.

use super::finding::Finding;
use crate::source::Tree;

/// Written in two halves, so that this file does not break its own rule.
const HOSTS: &[&str] =
    &[concat!("index.", "crates.io"), concat!("static.", "crates.io"), concat!("registry.", "npmjs")];
const ADMIN_HOME: &str = concat!("/ro", "ot/");
const HOMES: &str = concat!("/ho", "me/");

/// Names that stand for anybody.
const ANYBODY: &[&str] = &["user", "you"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in &tree.files {
        // The whole text is searched first: hardly any file has a hit, and most texts are long.
        if !mentions(&file.text) {
            continue;
        }
        findings
            .extend(file.text.lines().enumerate().filter(|(_, line)| mentions(line)).map(|(index, _)| {
            let message =
                "names a machine's home folder or a registry's host, use a neutral path such as /home/user";
            Finding::failure(&file.path, index + 1, message)
        }));
    }
    findings
}

fn mentions(text: &str) -> bool {
    HOSTS.iter().any(|host| text.contains(host))
        || starts(text, ADMIN_HOME).next().is_some()
        || starts(text, HOMES).any(is_somebody)
}

/// What follows each `prefix` at which a path starts: `src/root/a` holds none.
fn starts<'a>(text: &'a str, prefix: &'a str) -> impl Iterator<Item = &'a str> {
    text.match_indices(prefix).filter_map(move |(at, _)| {
        let within =
            text[..at].ends_with(|before: char| before.is_alphanumeric() || "_-.}>)".contains(before));
        (!within).then(|| &text[at + prefix.len()..])
    })
}

fn is_somebody(rest: &str) -> bool {
    let name = rest.split(|character: char| !character.is_alphanumeric() && !"_-".contains(character)).next();
    name.is_some_and(|name| !name.is_empty() && !ANYBODY.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::{ADMIN_HOME, HOMES, HOSTS, check};
    use crate::source::Tree;

    #[test]
    fn machines_are_found_in_any_text() {
        let homes = [format!("a\nsee {ADMIN_HOME}.cargo"), format!("a\n\"{HOMES}anna/x\"")];
        for bad in homes.into_iter().chain(HOSTS.iter().map(|host| format!("a\nhttps://{host}/x"))) {
            assert_eq!(places(&check(&Tree::of(&[("docs/a.md", &bad)]))), ["docs/a.md:2"], "{bad}");
        }
    }

    #[test]
    fn neutral_paths_pass() {
        let good = format!(
            "{HOMES}user/x {HOMES}you {HOMES} crates{ADMIN_HOME}a {{dir}}{HOMES}anna https://crates.io"
        );
        assert_eq!(check(&Tree::of(&[("docs/a.md", &good)])), []);
    }
}
