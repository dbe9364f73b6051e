//! The members of the workspace and what each depends on, as cargo tells it.

use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use crate::cargo;

pub(crate) struct Member {
    pub(crate) name: String,
    /// The manifest's path from the root of the repository.
    pub(crate) manifest: String,
    pub(crate) dependencies: Vec<Dependency>,
}

pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: DependencyKind,
    /// It lies in the repository, not in a registry.
    pub(crate) local: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DependencyKind {
    Normal,
    Build,
    Dev,
}

/// Asks cargo. This reads manifests only: it resolves nothing, takes no lock and needs no network.
pub(super) fn read(root: &Path) -> anyhow::Result<Vec<Member>> {
    let json = cargo::output(root, &["metadata", "--no-deps", "--format-version", "1"])?;
    parse(&json).context("cargo metadata wrote what this program cannot read")
}

fn parse(json: &[u8]) -> anyhow::Result<Vec<Member>> {
    let metadata: Metadata = serde_json::from_slice(json)?;
    let root = Path::new(&metadata.workspace_root);
    metadata.packages.into_iter().map(|package| member(root, package)).collect()
}

fn member(root: &Path, package: Package) -> anyhow::Result<Member> {
    let manifest = Path::new(&package.manifest_path).strip_prefix(root)?.to_string_lossy().replace('\\', "/");
    let dependencies = package.dependencies.into_iter().map(|dependency| Dependency {
        name: dependency.name,
        kind: match dependency.kind {
            None => DependencyKind::Normal,
            Some(Kind::Build) => DependencyKind::Build,
            Some(Kind::Dev) => DependencyKind::Dev,
        },
        local: dependency.path.is_some(),
    });
    Ok(Member { name: package.name, manifest, dependencies: dependencies.collect() })
}

#[derive(Deserialize)]
struct Metadata {
    workspace_root: String,
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: String,
    dependencies: Vec<PackageDependency>,
}

#[derive(Deserialize)]
struct PackageDependency {
    name: String,
    kind: Option<Kind>,
    path: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Build,
    Dev,
}

#[cfg(test)]
mod tests {
    use super::{DependencyKind, parse};

    #[test]
    fn kinds_and_places_are_read() -> anyhow::Result<()> {
        let json = r#"{"workspace_root": "/repo", "packages": [{"name": "a", "manifest_path": "/repo/crates/a/Cargo.toml",
            "dependencies": [{"name": "b", "kind": null, "path": "/repo/crates/b"}, {"name": "c", "kind": "dev"}]}]}"#;
        let members = parse(json.as_bytes())?;
        assert_eq!(members[0].manifest, "crates/a/Cargo.toml");
        let dependencies = &members[0].dependencies;
        assert!(dependencies[0].kind == DependencyKind::Normal && dependencies[0].local);
        assert!(dependencies[1].kind == DependencyKind::Dev && !dependencies[1].local);
        Ok(())
    }

    #[test]
    fn anything_else_is_an_error() {
        assert!(parse(b"{}").is_err());
        assert!(parse(br#"{"workspace_root": "/repo", "packages": [{"name": "a", "manifest_path": "/x/Cargo.toml", "dependencies": []}]}"#).is_err());
    }
}
