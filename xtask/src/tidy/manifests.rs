//! Members inherit: their lints, and every dependency.
//!
//! A member with lints of its own escapes the rules of the house. A dependency with a version or features of its own
//! is compiled twice, and is updated in one place only.

use toml::de::{DeTable, DeValue};

use super::finding::Finding;
use crate::source::{File, Tree};

const KINDS: &[&str] = &["dependencies", "dev-dependencies", "build-dependencies"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.members.iter().map(|member| (tree.file(&member.manifest), member.manifest.as_str()));
    manifests.flat_map(|(file, path)| file.map_or_else(|| vec![unseen(path)], check_manifest)).collect()
}

fn unseen(path: &str) -> Finding {
    Finding::failure(path, 1, "the manifest is ignored by git, track it")
}

/// Cargo's own view has inheritance already resolved, so the question "is this inherited?" can only be asked of the text.
fn check_manifest(file: &File) -> Vec<Finding> {
    let manifest = match DeTable::parse(&file.text) {
        Ok(manifest) => manifest.into_inner(),
        Err(error) => {
            return vec![Finding::failure(&file.path, 1, format!("is no TOML, {}", error.message()))];
        }
    };
    let own = own_dependencies(&manifest).into_iter().map(|(name, at)| {
        let line = file.text[..at].lines().count().max(1);
        let message = format!(
            "`{name}` is not inherited, set it in the root manifest and write `{name}.workspace = true`"
        );
        Finding::failure(&file.path, line, message)
    });
    let lints = manifest.get("lints").is_some_and(|lints| inherits(lints.get_ref()));
    let no_lints = "lints are not inherited, add `[lints]` with `workspace = true`";
    own.chain((!lints).then(|| Finding::failure(&file.path, 1, no_lints))).collect()
}

/// The name of each dependency that is not inherited, and where it is set; those for some targets only are among them.
fn own_dependencies<'a>(manifest: &'a DeTable<'_>) -> Vec<(&'a str, usize)> {
    let targets = manifest.get("target").and_then(|target| target.get_ref().as_table());
    let targets =
        targets.into_iter().flat_map(DeTable::values).filter_map(|target| target.get_ref().as_table());
    let tables = targets.chain([manifest]).flat_map(|table| KINDS.iter().filter_map(|kind| table.get(*kind)));
    let dependencies = tables.filter_map(|table| table.get_ref().as_table()).flatten();
    let own = dependencies.filter(|(_, value)| !inherits(value.get_ref()));
    own.map(|(name, _)| (name.get_ref().as_ref(), name.span().end)).collect()
}

fn inherits(value: &DeValue<'_>) -> bool {
    value.get("workspace").and_then(|workspace| workspace.get_ref().as_bool()) == Some(true)
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
        check_text("lints.workspace = true\n[dependencies.serde]\nversion = \"1\"\n", &["2"]);
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
