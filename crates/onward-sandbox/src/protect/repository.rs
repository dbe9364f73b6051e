//! Names in a repository that lead Git to other settings: `commondir` names the folder whose `config` it obeys.
//!
//! Most of them are not there, and no folder can stand in their place: Git reads each as a file, and a `commondir` that is
//! there changes what a repository is to other programs. What is there is closed; what is not is taken away again when
//! the command has ended.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Names in the repository itself.
const OWN: &[&str] = &["commondir", "config.worktree", "info/attributes"];
/// Names in the folder of a linked worktree.
const WORKTREE: &[&str] = &["commondir", "gitdir", "config.worktree"];
/// Names in the repository of a submodule.
const MODULE: &[&str] = &["commondir", "config", "config.worktree", "hooks"];
/// Linked worktrees and submodules that are looked after.
const MOST: usize = 256;
/// Bytes of a file that names a repository.
const MOST_BYTES: u64 = 4 << 10;
/// Folders around the repository of a submodule whose name is a path.
const DEEPEST: usize = 8;

/// The names for the repository in a folder of the workspace, which may be the workspace itself: below the workspace.
pub(super) fn names(workspace: &Path, folder: &Path) -> Vec<String> {
    let git = workspace.join(folder).join(".git");
    let mut paths: Vec<PathBuf> = OWN.iter().map(|name| git.join(name)).collect();
    for worktree in folders(&git.join("worktrees")) {
        paths.extend(WORKTREE.iter().map(|name| worktree.join(name)));
    }
    paths.extend(elsewhere(&git).iter().flat_map(|folder| MODULE.iter().map(|name| folder.join(name))));
    for module in modules(&git) {
        paths.extend(MODULE.iter().map(|name| module.join(name)));
    }
    // A path that is not plain text is not one that can be told to a launcher.
    let plain = |path: &PathBuf| path.strip_prefix(workspace).ok().and_then(Path::to_str).map(str::to_owned);
    paths.iter().filter_map(plain).collect()
}

/// The repositories of the submodules of this one.
pub(super) fn modules(git: &Path) -> Vec<PathBuf> {
    let mut modules = Vec::new();
    find_modules(&git.join("modules"), DEEPEST, &mut modules);
    modules
}

/// The repository that a file in its place names.
pub(super) fn elsewhere(git: &Path) -> Option<PathBuf> {
    // A folder cannot be read like this.
    let mut text = String::new();
    File::open(git).ok()?.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(git.parent()?.join(text.strip_prefix("gitdir:")?.trim()))
}

/// The repositories below a folder, those of their own submodules too.
fn find_modules(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for path in folders(folder) {
        if depth == 0 || found.len() >= MOST {
            return;
        }
        match path.join("HEAD").symlink_metadata().is_ok() {
            true => {
                find_modules(&path.join("modules"), depth - 1, found);
                found.push(path);
            }
            false => find_modules(&path, depth - 1, found),
        }
    }
}

/// Folders in a folder, in no order; symbolic links are none.
fn folders(folder: &Path) -> Vec<PathBuf> {
    if !folder.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        return Vec::new();
    }
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let entries = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    entries.map(|entry| entry.path()).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worktrees_and_submodules_are_found() {
        let temp = tempfile::tempdir().unwrap();
        for module in [".git/modules/a", ".git/modules/b/c", ".git/modules/a/modules/d"] {
            std::fs::create_dir_all(temp.path().join(module)).unwrap();
            std::fs::write(temp.path().join(module).join("HEAD"), "").unwrap();
        }
        std::fs::create_dir_all(temp.path().join(".git/worktrees/w")).unwrap();
        let names = names(temp.path(), Path::new(""));
        for name in [
            ".git/commondir",
            ".git/worktrees/w/commondir",
            ".git/modules/a/config",
            ".git/modules/b/c/hooks",
            ".git/modules/a/modules/d/config",
        ] {
            assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
        }
    }
}
