//! Files of a workspace that are also elsewhere: a command that may change the workspace changes them there too.
//!
//! No sandbox keeps one from it, so it is said: by `onward doctor`, and once when work on a session begins, as far as a
//! workspace can be looked through beside that work. No work waits for it.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;
use std::time::Duration;

/// Files and folders that are looked at by who asks for it.
const MAX_ENTRIES: usize = 200_000;
/// Those that are looked at beside the work: some 20 ms of processor time.
const MAX_BESIDE: usize = 20_000;
/// For how long a conversation that begins waits for them: enough for a small workspace.
pub(super) const EARLY: Duration = Duration::from_millis(20);
/// For how long whoever has ended waits for them, when they were looked for beside the work: that is over by then but for
/// a very short run.
pub(super) const LATE: Duration = Duration::from_millis(250);
/// Files that are named.
const NAMED: usize = 5;

/// What there is to say about the hard links of a folder.
pub(super) fn report(root: &Path) -> String {
    let Seen { outside, complete } = look(root, MAX_ENTRIES);
    let partly = if complete { "" } else { " (the workspace is too large to be looked through)" };
    match outside.as_slice() {
        [] => format!("none{partly}"),
        outside => words(outside),
    }
}

/// Looks for them beside whatever goes on. What is received is what there is to say; nothing, where there are none, or too
/// many files.
pub(super) fn beside(root: &str) -> Receiver<String> {
    let (root, (sender, said)) = (PathBuf::from(root), sync_channel(1));
    thread::spawn(move || {
        let Seen { outside, .. } = look(&root, MAX_BESIDE);
        if !outside.is_empty() {
            // Who has ended since does not want to know.
            let _ = sender.send(words(&outside));
        }
    });
    said
}

fn words(outside: &[PathBuf]) -> String {
    let names: Vec<String> = outside.iter().take(NAMED).map(|path| path.display().to_string()).collect();
    let more = if outside.len() > NAMED { ", …" } else { "" };
    let who = match outside.len() {
        1 => "1 file has a second name outside the workspace, and commands can change it there".to_owned(),
        count => format!(
            "{count} files have a second name outside the workspace, and commands can change them there"
        ),
    };
    format!("{who}: {}{more}", names.join(", "))
}

struct Seen {
    /// One name of each file that has more names than were found.
    outside: Vec<PathBuf>,
    complete: bool,
}

fn look(root: &Path, most: usize) -> Seen {
    let (mut folders, mut left) = (vec![root.to_owned()], most);
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
        assert_eq!(beside(root.to_str().unwrap()).recv().unwrap(), report(&root));
    }
}
