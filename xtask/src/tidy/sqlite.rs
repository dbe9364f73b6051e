//! The bundled SQLite is one that keeps its data.
//!
//! `cargo deny` refuses the same versions (deny.toml), but it asks the network for advisories, so `.ci/run` does not start
//! it. This rule is what no change gets around.

use super::finding::Finding;
use crate::source::Tree;

const CRATE: &str = "libsqlite3-sys";
/// SQLite up to 3.51.2 can corrupt a database in WAL mode, which is the mode that the log is kept in. This is the first
/// version of the crate that bundles a later one: 0.36 has 3.51.1, and 0.37 has 3.51.3.
const FIRST_SOUND: (u64, u64) = (0, 37);

const LOCK: &str = "Cargo.lock";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let versions = tree.file(LOCK).map(|file| locked(&file.text)).unwrap_or_default();
    if versions.is_empty() {
        let message = format!(
            "{CRATE} is not in it, so the version of SQLite is unknown: track the file, or drop this rule"
        );
        return vec![Finding::failure(LOCK, 1, message)];
    }
    let unsound =
        versions.into_iter().filter(|(_, version)| parse(version).is_none_or(|found| found < FIRST_SOUND));
    let finding = |(line, version)| {
        let (major, minor) = FIRST_SOUND;
        let message = format!(
            "{CRATE} {version} may bundle an SQLite that corrupts databases in WAL mode, update to {major}.{minor} or later"
        );
        Finding::failure(LOCK, line, message)
    };
    unsound.map(finding).collect()
}

/// The line and text of each version of the crate in a lock file.
fn locked(lock: &str) -> Vec<(usize, &str)> {
    let name = format!("name = \"{CRATE}\"");
    let lines = lock.lines().enumerate();
    let versions = lines.clone().zip(lines.skip(1)).filter(|((_, line), _)| *line == name);
    versions
        .map(|(_, (index, line))| (index + 1, line.trim_start_matches("version = ").trim_matches('"')))
        .collect()
}

fn parse(version: &str) -> Option<(u64, u64)> {
    let mut numbers = version.split('.').map(str::parse::<u64>);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::check;
    use crate::source::Tree;

    fn check_lock(versions: &[&str]) -> Vec<String> {
        let package =
            |version: &&str| format!("[[package]]\nname = \"libsqlite3-sys\"\nversion = \"{version}\"\n");
        let text: String = versions.iter().map(package).collect();
        places(&check(&Tree::of(&[("Cargo.lock", &text)])))
    }

    #[test]
    fn unsound_versions_are_found() {
        assert_eq!(check_lock(&["0.36.9"]), ["Cargo.lock:3"]);
        assert_eq!(check_lock(&["0.40.0", "0.9.1"]), ["Cargo.lock:6"]);
        assert_eq!(check_lock(&["unreadable"]), ["Cargo.lock:3"]);
    }

    #[test]
    fn an_unknown_version_is_a_failure() {
        assert_eq!(check_lock(&[]), ["Cargo.lock:1"]);
        assert_eq!(check(&Tree::of(&[])).len(), 1);
    }

    #[test]
    fn sound_versions_pass() {
        assert_eq!(check_lock(&["0.37.0", "0.40.0", "1.0.0"]), [] as [String; 0]);
    }
}
