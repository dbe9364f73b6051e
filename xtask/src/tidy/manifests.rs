//! Members inherit: their lints, and every dependency.
//!
//! A member with lints of its own escapes the rules of the house. A dependency with a version or features of its own
//! is compiled twice, and is updated in one place only.

use super::finding::Finding;
use crate::source::{Entry, File, Tree, entries};

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.members.iter().map(|member| (tree.file(&member.manifest), member.manifest.as_str()));
    manifests.flat_map(|(file, path)| file.map_or_else(|| vec![unseen(path)], check_manifest)).collect()
}

fn unseen(path: &str) -> Finding {
    Finding::failure(path, 1, "the manifest is ignored by git, track it")
}

fn check_manifest(file: &File) -> Vec<Finding> {
    let entries = entries(&file.text);
    let own = entries.iter().filter(|entry| !inherits(entry, &entries)).filter_map(dependency);
    let mut findings: Vec<_> = own
        .map(|(name, line)| {
            let message = format!(
                "`{name}` is not inherited, set it in the root manifest and write `{name}.workspace = true`"
            );
            Finding::failure(&file.path, line, message)
        })
        .collect();
    if !entries.iter().any(is_inherited_lints) {
        findings.push(Finding::failure(
            &file.path,
            1,
            "lints are not inherited, add `[lints]` with `workspace = true`",
        ));
    }
    findings
}

fn is_inherited_lints(entry: &Entry) -> bool {
    let place = (entry.table.as_str(), entry.key.as_str());
    matches!(place, ("lints", "workspace") | ("", "lints.workspace")) && entry.value == "true"
}

/// The name and line of the dependency that this entry sets, or sets a part of.
fn dependency(entry: &Entry) -> Option<(&str, usize)> {
    let name = match tables_of(&entry.table)? {
        "" => entry.key.split('.').next()?,
        name => name,
    };
    Some((name, entry.line))
}

/// What stands behind `dependencies` in the name of a table: nothing, or the one dependency that it is for.
fn tables_of(table: &str) -> Option<&str> {
    let (_, rest) = table.rsplit_once("dependencies")?;
    Some(rest.trim_start_matches('.'))
}

fn inherits(entry: &Entry, entries: &[Entry]) -> bool {
    let is_set = |entry: &Entry, key: &str| entry.key == key && entry.value == "true";
    match tables_of(&entry.table) {
        Some("") => {
            let inline: String = entry.value.chars().filter(|character| !character.is_whitespace()).collect();
            let name = entry.key.split('.').next().unwrap_or_default();
            let dotted = format!("{name}.workspace");
            inline.contains("{workspace=true")
                || inline.contains(",workspace=true")
                || entries.iter().any(|other| other.table == entry.table && is_set(other, &dotted))
        }
        Some(_) => entries.iter().any(|other| other.table == entry.table && is_set(other, "workspace")),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::{Member, Tree};

    #[track_caller]
    fn check_text(text: &str, expect: &[&str]) {
        let manifest = "crates/a/Cargo.toml";
        let mut tree = Tree::of(&[(manifest, text)]);
        tree.members.push(Member {
            name: "a".to_owned(),
            manifest: manifest.to_owned(),
            dependencies: Vec::new(),
        });
        let found: Vec<_> =
            places(&check(&tree)).iter().map(|place| place.replace("crates/a/Cargo.toml:", "")).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn versions_of_ones_own_are_found() {
        for table in
            ["dependencies", "dev-dependencies", "build-dependencies", "target.'cfg(unix)'.dependencies"]
        {
            for bad in [
                "serde = \"1\"",
                "serde = { version = \"1\" }",
                "serde.version = \"1\"",
                "serde.workspace = false",
            ] {
                check_text(&format!("lints.workspace = true\n[{table}]\n{bad}\n"), &["3"]);
            }
        }
        check_text("lints.workspace = true\n[dependencies.serde]\nversion = \"1\"\n", &["3"]);
    }

    #[test]
    fn lints_of_ones_own_are_found() {
        for bad in [
            "[package]\n",
            "[lints]\nworkspace = false\n",
            "[lints.rust]\nunsafe_code = \"allow\"\n",
            "[x]\nworkspace = true\n",
        ] {
            check_text(bad, &["1"]);
        }
    }

    #[test]
    fn inherited_ones_pass() {
        check_text(
            "[package]\nversion.workspace = true\n[lints]\nworkspace = true\n[dependencies]\na.workspace = true\n\
             b = { workspace = true, features = [\n  \"x\",\n] }\nc = { optional = true, workspace = true }\n\
             d.workspace = true\nd.optional = true\n[dev-dependencies.e]\nworkspace = true\nfeatures = [\"y\"]\n",
            &[],
        );
    }

    #[test]
    fn a_manifest_out_of_sight_is_found() {
        let mut tree = Tree::of(&[]);
        tree.members.push(Member {
            name: "a".to_owned(),
            manifest: "a/Cargo.toml".to_owned(),
            dependencies: Vec::new(),
        });
        assert_eq!(places(&check(&tree)), ["a/Cargo.toml:1"]);
    }
}
