//! Files of a workspace that are also elsewhere: a command that may change the workspace changes them there too.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Files and folders that are looked at.
const MAX_ENTRIES: usize = 200_000;
/// Files that are named.
const NAMED: usize = 5;

/// What there is to say about the hard links of a folder.
pub(super) fn report(root: &Path) -> String {
    let Seen { outside, complete } = look(root);
    let partly = if complete { "" } else { " (of a part of the workspace: it is large)" };
    if outside.is_empty() {
        return format!("none{partly}");
    }
    let names: Vec<String> = outside.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    let more = if outside.len() > NAMED { ", …" } else { "" };
    format!(
        "{} files have a second name outside the workspace, and commands can change them there{partly}: {}{more}",
        outside.len(),
        names.join(", ")
    )
}

struct Seen {
    /// One name of each file that has more names than were found.
    outside: Vec<PathBuf>,
    complete: bool,
}

fn look(root: &Path) -> Seen {
    let (mut folders, mut left) = (vec![root.to_owned()], MAX_ENTRIES);
    let mut linked: HashMap<(u64, u64), (u64, PathBuf)> = HashMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Some(rest) = left.checked_sub(1) else {
                // A name that was not seen may be inside.
                return Seen { outside: Vec::new(), complete: false };
            };
            left = rest;
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_dir() {
                folders.push(entry.path());
            } else if meta.is_file() && meta.nlink() > 1 {
                linked.entry((meta.dev(), meta.ino())).or_insert_with(|| (meta.nlink(), entry.path())).0 -= 1;
            }
        }
    }
    let mut outside: Vec<PathBuf> =
        linked.into_values().filter(|(left, _)| *left > 0).map(|(_, path)| path).collect();
    outside.sort();
    Seen { outside, complete: true }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_name_outside_is_reported_and_one_inside_is_not() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().join("w");
        std::fs::create_dir_all(root.join("deep")).unwrap();
        std::fs::write(root.join("a"), "").unwrap();
        std::fs::hard_link(root.join("a"), root.join("deep/b")).unwrap();
        assert_eq!(report(&root), "none");
        std::fs::write(temp.path().join("outside"), "").unwrap();
        std::fs::hard_link(temp.path().join("outside"), root.join("deep/inside")).unwrap();
        assert!(report(&root).contains("deep/inside"));
    }
}
