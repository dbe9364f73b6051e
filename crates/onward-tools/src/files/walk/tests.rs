//! What a walk costs, counted in names that the kernel looked up.

use std::os::fd::OwnedFd;

use onward_event::Workspace;
use rustix::fs::{CWD, Mode, OFlags, mkdirat, openat};

use super::*;

struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }
    fn cancelled(&self) -> onward_port::BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}

/// The folder in each folder.
const DEEP: &str = "a-deeper-one";

/// Folders in each other, as many as this, each with a file that comes behind the next one.
fn tree(root: &Path, levels: usize) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut folder: OwnedFd = openat(CWD, root, flags, Mode::empty()).unwrap();
    for _ in 0..levels {
        openat(&folder, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RWXU).unwrap();
        mkdirat(&folder, DEEP, Mode::RWXU).unwrap();
        folder = openat(&folder, DEEP, flags, Mode::empty()).unwrap();
    }
}

/// Removes what no path reaches, and what has more levels than a process may have files open.
fn remove(root: &Path) {
    let (first, rest) = (root.join(DEEP), root.join("rest"));
    let far = root.join(format!("{DEEP}/").repeat(200));
    while far.exists() {
        std::fs::rename(&far, &rest).unwrap();
        std::fs::remove_dir_all(&first).unwrap();
        std::fs::rename(&rest, &first).unwrap();
    }
}

/// The entries of a tree that is so deep, the longest path, and the names that were looked up.
fn walked(levels: usize) -> (usize, usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    tree(folder.path(), levels);
    let root = folder.path().display().to_string();
    let files = Files::open(&Workspace { dir: root.clone(), root }).unwrap();
    let cancel: Arc<dyn Cancel> = Arc::new(Never);
    let walk =
        Walk { files: &files, start: Path::new("."), depth: None, max_walked: usize::MAX, cancel: &cancel };
    let mut walker = Walker::at_start(&walk).unwrap();
    let (mut entries, mut longest) = (0, 0);
    let mut count = |entry: &mut Entry<'_>| {
        entries += 1;
        // From below it is come back to the folder of a file.
        assert_eq!(entry.open().is_ok_and(|file| file.is_some()), entry.kind.is_file());
        longest = longest.max(entry.relative.as_os_str().len());
        Ok(ControlFlow::Continue(()))
    };
    let Ok(Visited::All) = walker.run(&mut count) else { panic!("it did not come to its end") };
    let lookups = walker.folders.lookups;
    drop(walker);
    remove(folder.path());
    (entries, longest, lookups)
}

#[test]
fn a_tree_twice_as_deep_costs_twice_as_much_and_may_be_deeper_than_a_path() {
    let (entries, longest, lookups) = walked(400);
    assert_eq!(entries, 2 * 400);
    assert!(longest > 4_096, "{longest} bytes");
    let (_, _, half) = walked(200);
    // Down into each folder, and up into it again for the file.
    assert!(lookups <= 2 * 400 + 1 && half <= 2 * 200 + 1, "{half} names, then {lookups}");
}
