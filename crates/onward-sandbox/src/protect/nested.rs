//! Protected names below the workspace's own: those of submodules, of repositories in it, of the packages of a large one.
//!
//! They are found by a walk, which is done while the command before runs and the model speaks. When a command starts, and
//! when it has ended, only the folders that have changed since are listed again: that a name appeared or went shows in
//! the time at which its folder's entry changed, which no program can set.
//!
//! The walk is wide before it is deep, and has limits: what it does not reach is not protected, and `onward doctor` says
//! so. It does not go into protected folders, nor into those that tools fill by themselves ([`PASSED_OVER`]).

use std::collections::{BTreeMap, VecDeque};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use crate::launch::order::Jail;

/// Folders that are looked after.
const MOST_FOLDERS: usize = 8_192;
/// Files and folders that one look lists.
const MOST_ENTRIES: usize = 100_000;
/// Folders on the way to one.
const DEEPEST: usize = 24;
/// Folders that hold protected names. Each costs mounts, or is read, whenever a command starts.
const MOST_FOUND: usize = 128;
/// How long one look may take.
const LONGEST: Duration = Duration::from_secs(1);
/// Folders with many thousand files that tools fill by themselves, and that nobody opens or keeps a repository in.
const PASSED_OVER: &[&str] =
    &["node_modules", "target", "_deps", ".venv", "venv", "__pycache__", ".tox", ".cache"];
/// A folder that was listed so soon after it had changed may change once more at what its file system takes for the same
/// time.
const TICK: Duration = Duration::from_millis(50);

/// The folders of a workspace, with the protected names in each.
#[derive(Debug)]
pub(crate) struct Nested {
    workspace: PathBuf,
    /// The first parts of the names that are protected in every folder.
    names: Vec<String>,
    /// Folders whose content is nobody's to see.
    hidden: Vec<PathBuf>,
    /// By their paths below the workspace, whose own is empty.
    folders: BTreeMap<PathBuf, Listed>,
    /// Folders that were not listed yet.
    queue: VecDeque<PathBuf>,
    /// Whether there are folders that are in neither.
    cut: bool,
}

/// A folder as it was when it was listed.
#[derive(Debug)]
struct Listed {
    /// None when it may have changed unseen since.
    stamp: Option<Stamp>,
    /// The first parts of protected names that are in it.
    names: Vec<String>,
}

/// Changes when something appears in a folder, or goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    changed: (i64, i64),
}

/// A protected name that was not there when the workspace was looked through before.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Made {
    /// Below the workspace.
    pub(super) folder: PathBuf,
    pub(super) name: String,
    /// Whether the folder was there before.
    pub(super) in_known: bool,
}

/// How far protecting names below the workspace's own reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// Folders that are looked after.
    pub folders: usize,
    /// Folders of these that hold protected names, and are closed.
    pub holders: usize,
    /// Whether there are no others.
    pub is_complete: bool,
}

impl Nested {
    /// Looks through the workspace of a command, if it may change it.
    pub(crate) fn look(jail: &Jail) -> Self {
        let mut nested = Self::new(Path::new(&jail.workspace), &jail.nested, &jail.hidden);
        if jail.writes() {
            nested.look_again();
        }
        nested
    }

    /// Of a workspace that was not looked through yet.
    pub(crate) fn new(workspace: &Path, protected: &[String], hidden: &[String]) -> Self {
        let mut names: Vec<String> = protected.iter().filter_map(|name| first_part(name)).collect();
        names.sort();
        names.dedup();
        Self {
            workspace: workspace.to_owned(),
            names,
            hidden: hidden.iter().map(PathBuf::from).collect(),
            folders: BTreeMap::new(),
            queue: VecDeque::from([PathBuf::new()]),
            cut: false,
        }
    }

    /// Looks at what has changed, and goes on where the look before had to end. Returns the names that were made.
    pub(crate) fn look_again(&mut self) -> Vec<Made> {
        // Else a folder that is not known need not be new.
        let all_are_known = self.queue.is_empty() && !self.cut;
        let mut look = Look { entries: MOST_ENTRIES, until: Instant::now() + LONGEST };
        let mut made = Vec::new();
        for path in self.changed() {
            match self.list(&path, &mut look) {
                Some(listed) => self.put(path, listed, true, &mut made),
                None => _ = self.folders.remove(&path),
            }
        }
        while self.folders.len() < MOST_FOLDERS && !look.is_over() {
            let Some(path) = self.queue.pop_front() else { break };
            if let Some(listed) = self.list(&path, &mut look) {
                self.put(path, listed, false, &mut made);
            }
        }
        made.retain(|made| made.in_known || all_are_known);
        made
    }

    /// The folders that hold protected names, with the first parts of those; only as many as are looked after.
    pub(super) fn found(&self) -> impl Iterator<Item = (&Path, &[String])> {
        self.holders().take(MOST_FOUND).map(|(path, listed)| (path.as_path(), listed.names.as_slice()))
    }

    /// How far this reaches.
    pub(crate) fn reach(&self) -> Reach {
        let found = self.holders().count();
        Reach {
            folders: self.folders.len(),
            holders: found.min(MOST_FOUND),
            is_complete: self.queue.is_empty() && !self.cut && found <= MOST_FOUND,
        }
    }

    fn holders(&self) -> impl Iterator<Item = (&PathBuf, &Listed)> {
        // The names in the workspace itself are protected by themselves.
        self.folders.iter().filter(|(path, listed)| !listed.names.is_empty() && !path.as_os_str().is_empty())
    }

    /// Folders that are not what they were when they were listed.
    fn changed(&self) -> Vec<PathBuf> {
        let differs = |path: &Path, listed: &Listed| {
            listed.stamp.is_none() || listed.stamp != stamp(&self.workspace.join(path))
        };
        let changed = self.folders.iter().filter(|(path, listed)| differs(path, listed));
        changed.map(|(path, _)| path.clone()).collect()
    }

    fn put(&mut self, folder: PathBuf, listed: Listed, in_known: bool, made: &mut Vec<Made>) {
        let before = self.folders.get(&folder).map_or(&[][..], |listed| listed.names.as_slice());
        if !folder.as_os_str().is_empty() {
            let new = listed.names.iter().filter(|name| !before.contains(name));
            made.extend(new.map(|name| Made { folder: folder.clone(), name: name.clone(), in_known }));
        }
        self.folders.insert(folder, listed);
    }

    /// Lists a folder, and puts those in it that are not known into the queue; none when it is no folder any more.
    fn list(&mut self, path: &Path, look: &mut Look) -> Option<Listed> {
        let full = self.workspace.join(path);
        // Before it is listed: what appears meanwhile makes a difference then.
        let stamp = stamp(&full)?;
        let is_deepest = path.components().count() >= DEEPEST;
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&full).into_iter().flatten().flatten() {
            let Some(left) = look.entries.checked_sub(1) else {
                self.cut = true;
                break;
            };
            look.entries = left;
            let name = entry.file_name();
            // A path that is not plain text is not one that can be told to a launcher.
            let Some(name) = name.to_str() else { continue };
            if self.names.iter().any(|protected| protected == name) {
                names.push(name.to_owned());
            } else if entry.file_type().is_ok_and(|kind| kind.is_dir()) && !PASSED_OVER.contains(&name) {
                let below = path.join(name);
                if is_deepest {
                    self.cut = true;
                } else if !self.folders.contains_key(&below) && !self.is_hidden(&below) {
                    self.queue.push_back(below);
                }
            }
        }
        names.sort();
        Some(Listed { stamp: (!stamp.is_fresh()).then_some(stamp), names })
    }

    fn is_hidden(&self, path: &Path) -> bool {
        let path = self.workspace.join(path);
        self.hidden.iter().any(|hidden| path.starts_with(hidden))
    }
}

/// What one look may still do.
struct Look {
    entries: usize,
    until: Instant,
}

impl Look {
    fn is_over(&self) -> bool {
        self.entries == 0 || Instant::now() >= self.until
    }
}

impl Stamp {
    fn of(meta: &Metadata) -> Self {
        Self { device: meta.dev(), inode: meta.ino(), changed: (meta.ctime(), meta.ctime_nsec()) }
    }

    fn is_fresh(&self) -> bool {
        let (seconds, nanos) = self.changed;
        let since = Duration::new(seconds.try_into().unwrap_or(0), nanos.try_into().unwrap_or(0));
        let changed = SystemTime::UNIX_EPOCH + since;
        // A clock that was put back makes it look like one from the future.
        changed.elapsed().map_or(true, |age| age < TICK)
    }
}

fn stamp(folder: &Path) -> Option<Stamp> {
    folder.symlink_metadata().ok().filter(Metadata::is_dir).map(|meta| Stamp::of(&meta))
}

fn first_part(name: &str) -> Option<String> {
    name.split('/').next().filter(|part| !part.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn nested(root: &Path) -> Nested {
        let names = [".git/hooks", ".git/config", ".vscode"].map(str::to_owned);
        Nested::new(root, &names, &[root.join("hidden").display().to_string()])
    }

    fn found(nested: &Nested) -> Vec<String> {
        let line = |(path, names): (&Path, &[String])| format!("{} {}", path.display(), names.join(" "));
        nested.found().map(line).collect()
    }

    #[test]
    fn names_below_are_found_and_what_was_made_is_told_from_what_was_there() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path();
        for folder in [".git/x/.git", "a/.git", "a/b/.vscode", "node_modules/x/.git", "hidden/.git", "c/d"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        std::os::unix::fs::symlink("a", root.join("link")).unwrap();
        let mut nested = nested(root);
        nested.look_again();
        assert_eq!(found(&nested), ["a .git", "a/b .vscode"]);
        assert_eq!(nested.look_again(), []);
        for folder in ["c/d/.git", "e/.vscode", ".vscode"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        fs::remove_dir_all(root.join("a/b")).unwrap();
        let made =
            |folder: &str, name: &str, in_known| Made { folder: folder.into(), name: name.into(), in_known };
        assert_eq!(nested.look_again(), [made("c/d", ".git", true), made("e", ".vscode", false)]);
        assert_eq!(found(&nested), ["a .git", "c/d .git", "e .vscode"]);
        assert_eq!(nested.reach(), Reach { folders: 5, holders: 3, is_complete: true });
    }

    #[test]
    fn what_is_too_deep_is_said_not_to_be_reached() {
        let temp = tempfile::tempdir().unwrap();
        let deep: PathBuf = std::iter::repeat_n("x", DEEPEST + 1).collect();
        fs::create_dir_all(temp.path().join(&deep).join(".git")).unwrap();
        let mut nested = nested(temp.path());
        nested.look_again();
        assert_eq!(nested.reach(), Reach { folders: DEEPEST + 1, holders: 0, is_complete: false });
        // Nothing that was not looked at counts as new.
        fs::create_dir_all(temp.path().join("y/.vscode")).unwrap();
        assert_eq!(nested.look_again(), []);
    }
}
