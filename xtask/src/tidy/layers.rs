//! Which member may depend on which: the layers of the design as data, held against what cargo says.
//!
//! Arrows point down only. The adapters of layer 2 see the vocabulary and the ports, never each other and never the
//! core; only the binary sees everything. Development dependencies are looser, because a test may bring together
//! what the product keeps apart.

use super::finding::Finding;
use crate::source::{Dependency, DependencyKind, Member, Tree};

struct Row {
    name: &'static str,
    layer: Layer,
    uses: Uses,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layer {
    Product(u8),
    /// Not shipped.
    Dev,
}

enum Uses {
    Only(&'static [&'static str]),
    /// Every member of the product in a layer below this one.
    Below(u8),
    Anything,
}

/// Layer 5 holds the fronts: there are none yet.
const TABLE: &[Row] = &[
    Row { name: "onward-event", layer: Layer::Product(0), uses: Uses::Only(&[]) },
    Row { name: "onward-core", layer: Layer::Product(1), uses: Uses::Only(&["onward-event"]) },
    Row { name: "onward-port", layer: Layer::Product(1), uses: Uses::Only(&["onward-event"]) },
    Row { name: "onward-sqlite", layer: Layer::Product(2), uses: ADAPTER },
    Row { name: "onward-model", layer: Layer::Product(2), uses: ADAPTER },
    Row { name: "onward-tools", layer: Layer::Product(2), uses: ADAPTER },
    Row { name: "onward-policy", layer: Layer::Product(2), uses: ADAPTER },
    Row { name: "onward-sandbox", layer: Layer::Product(2), uses: ADAPTER },
    Row {
        name: "onward-runtime",
        layer: Layer::Product(3),
        uses: Uses::Only(&["onward-event", "onward-core", "onward-port"]),
    },
    Row { name: "onward-wire", layer: Layer::Product(4), uses: Uses::Only(&["onward-event", "onward-core"]) },
    Row { name: "onward", layer: Layer::Product(BINARY), uses: Uses::Below(BINARY) },
    Row { name: "onward-test", layer: Layer::Dev, uses: Uses::Below(BINARY) },
    Row { name: "xtask", layer: Layer::Dev, uses: Uses::Anything },
];

/// The same for all adapters, so that none sees another.
const ADAPTER: Uses = Uses::Only(&["onward-event", "onward-port"]);
const BINARY: u8 = 6;
const TEST_SUPPORT: &str = "onward-test";
const TABLE_FILE: &str = "xtask/src/tidy/layers.rs";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for member in &tree.members {
        let Some(row) = row(&member.name) else {
            findings.push(Finding::failure(
                &member.manifest,
                1,
                format!("{} has no layer, give it a row in {TABLE_FILE}", member.name),
            ));
            continue;
        };
        let manifest = tree.file(&member.manifest).map_or("", |file| file.text.as_str());
        findings.extend(member.dependencies.iter().filter(|dependency| dependency.local).filter_map(
            |dependency| {
                let wrong = objection(row, dependency)?;
                Some(Finding::failure(&member.manifest, line_of(manifest, &dependency.name), wrong))
            },
        ));
    }
    findings.extend(TABLE.iter().filter(|row| !is_member(row.name, &tree.members)).map(|row| {
        Finding::failure(TABLE_FILE, 1, format!("{} is no member of the workspace, remove its row", row.name))
    }));
    findings
}

fn row(name: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name == name)
}

fn is_member(name: &str, members: &[Member]) -> bool {
    members.iter().any(|member| member.name == name)
}

/// What speaks against this dependency, if anything does.
fn objection(row: &Row, dependency: &Dependency) -> Option<String> {
    let Some(used) = self::row(&dependency.name) else {
        return Some(format!(
            "{} is not in the table of layers, give it a row in {TABLE_FILE}",
            dependency.name
        ));
    };
    let is_dev = dependency.kind == DependencyKind::Dev;
    if may_use(row, used) || (is_dev && may_test_with(row, used)) {
        return None;
    }
    Some(format!(
        "{} must not depend on {}{}, move the code to the layer that may or pass the value in (see {TABLE_FILE})",
        row.name,
        dependency.name,
        if is_dev { " even in tests" } else { "" },
    ))
}

fn may_use(row: &Row, used: &Row) -> bool {
    match row.uses {
        Uses::Only(names) => names.contains(&used.name),
        Uses::Below(limit) => matches!(used.layer, Layer::Product(layer) if layer < limit),
        Uses::Anything => true,
    }
}

/// Tests may add the test support, and members of the same layer or a lower one. The binary's tests may use all.
fn may_test_with(row: &Row, used: &Row) -> bool {
    match (row.layer, used.layer) {
        (Layer::Product(BINARY), _) => true,
        (Layer::Product(own), Layer::Product(other)) => other <= own,
        _ => used.name == TEST_SUPPORT,
    }
}

/// The first line of the manifest that sets this dependency.
fn line_of(manifest: &str, name: &str) -> usize {
    let sets = |line: &str| {
        let rest = line.trim_start().trim_start_matches('"').strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['.', ' ', '=', '"']))
    };
    manifest.lines().position(sets).map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::{TABLE, check};
    use crate::source::{Dependency, DependencyKind, Member, Tree};

    /// All members of the table, one of which has one dependency.
    fn tree(name: &str, kind: DependencyKind, uses: &str) -> Tree {
        let mut tree = Tree::of(&[(
            "changed/Cargo.toml",
            &format!("[dependencies]\nserde = \"1\"\n{uses}.workspace = true\n"),
        )]);
        tree.members = TABLE.iter().map(|row| member(row.name)).collect();
        tree.members.retain(|member| member.name != name);
        let dependency = Dependency { name: uses.to_owned(), kind, local: true };
        tree.members.push(Member {
            manifest: "changed/Cargo.toml".to_owned(),
            dependencies: vec![dependency],
            ..member(name)
        });
        tree
    }

    fn member(name: &str) -> Member {
        Member {
            name: name.to_owned(),
            manifest: format!("crates/{name}/Cargo.toml"),
            dependencies: Vec::new(),
        }
    }

    #[track_caller]
    fn refused(name: &str, kind: DependencyKind, uses: &str) {
        assert_eq!(places(&check(&tree(name, kind, uses))), ["changed/Cargo.toml:3"], "{name} -> {uses}");
    }

    #[track_caller]
    fn allowed(name: &str, kind: DependencyKind, uses: &str) {
        assert_eq!(check(&tree(name, kind, uses)), [], "{name} -> {uses}");
    }

    #[test]
    fn arrows_point_down_only() {
        use DependencyKind::{Build, Normal};
        refused("onward-event", Normal, "onward-core");
        refused("onward-core", Normal, "onward-port");
        refused("onward-port", Build, "onward-core");
        refused("onward-sqlite", Normal, "onward-core");
        refused("onward-tools", Normal, "onward-policy");
        refused("onward-runtime", Normal, "onward-sqlite");
        refused("onward-wire", Normal, "onward-runtime");
        refused("onward", Normal, "onward-test");
        refused("onward", Build, "xtask");
        refused("onward-test", Normal, "onward");
        allowed("onward-core", Normal, "onward-event");
        allowed("onward-sqlite", Build, "onward-port");
        allowed("onward-wire", Normal, "onward-core");
        allowed("onward", Normal, "onward-sqlite");
        allowed("onward-test", Normal, "onward-runtime");
        allowed("xtask", Normal, "onward");
    }

    #[test]
    fn tests_may_use_their_own_layer_and_the_support() {
        use DependencyKind::Dev;
        refused("onward-core", Dev, "onward-sqlite");
        refused("onward-runtime", Dev, "onward");
        refused("onward-test", Dev, "onward");
        refused("onward-model", Dev, "xtask");
        allowed("onward-core", Dev, "onward-port");
        allowed("onward-event", Dev, "onward-test");
        allowed("onward-sqlite", Dev, "onward-tools");
        allowed("onward", Dev, "onward-test");
    }

    #[test]
    fn the_table_and_the_workspace_name_the_same_members() {
        refused_member("onward-unheard-of");
        let mut tree = tree("onward", DependencyKind::Normal, "onward-event");
        tree.members.retain(|member| member.name != "onward-wire");
        assert_eq!(places(&check(&tree)), ["xtask/src/tidy/layers.rs:1"]);
    }

    #[track_caller]
    fn refused_member(name: &str) {
        let mut tree = tree("onward", DependencyKind::Normal, "onward-event");
        tree.members.push(member(name));
        assert_eq!(places(&check(&tree)), [format!("crates/{name}/Cargo.toml:1")]);
        refused("onward", DependencyKind::Normal, name);
    }
}
