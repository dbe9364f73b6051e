//! The ignore files on the way to a folder, and what they say about an entry.
//!
//! As with git, what stands deeper wins over what stands higher, and `.ignore` wins over `.gitignore`, which wins over
//! `.git/info/exclude`. Neither the person's own git settings nor anything outside the workspace has a say.

use std::ffi::OsStr;
use std::io::Read as _;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::folders::plain_file;

/// The files of a level, the strongest first.
const NAMES: [&str; 3] = [".ignore", ".gitignore", ".git/info/exclude"];
/// Bytes of an ignore file that are read; the rest of a larger one has no say.
const MAX_BYTES: u64 = 4 << 20;

/// The levels that have an ignore file, from the root on.
#[derive(Default)]
pub(super) struct Ignored {
    levels: Vec<Level>,
}

struct Level {
    /// How long the path of its folder is.
    path: usize,
    /// In the order of [`NAMES`].
    rules: [Option<Gitignore>; NAMES.len()],
}

impl Ignored {
    /// Reads the ignore files of a folder that is entered, whose path is this long.
    pub(super) fn read(&mut self, folder: BorrowedFd<'_>, path: usize) {
        let rules = NAMES.map(|name| rules(folder, name));
        if rules.iter().any(Option::is_some) {
            self.levels.push(Level { path, rules });
        }
    }

    /// Leaves the folder whose path is this long.
    pub(super) fn leave(&mut self, path: usize) {
        self.levels.pop_if(|level| level.path == path);
    }

    /// Leaves them all.
    pub(super) fn forget(&mut self) {
        self.levels.clear();
    }

    /// Whether an entry, by its path from the root, is to be left out.
    pub(super) fn has(&self, path: &[u8], is_dir: bool) -> bool {
        (0..NAMES.len()).find_map(|kind| self.verdict(kind, path, is_dir)).unwrap_or(false)
    }

    /// What the deepest file of a kind that names the entry says.
    fn verdict(&self, kind: usize, path: &[u8], is_dir: bool) -> Option<bool> {
        self.levels.iter().rev().find_map(|level| {
            let from = level.path + usize::from(level.path > 0);
            let below = Path::new(OsStr::from_bytes(path.get(from..)?));
            match level.rules.get(kind)?.as_ref()?.matched(below, is_dir) {
                Match::None => None,
                Match::Ignore(_) => Some(true),
                Match::Whitelist(_) => Some(false),
            }
        })
    }
}

/// The rules of an ignore file. As with git, a symbolic link is none; nor is a pipe, which is not waited for. A line that
/// is no pattern is passed over.
fn rules(folder: BorrowedFd<'_>, name: &str) -> Option<Gitignore> {
    let file = plain_file(folder, OsStr::new(name)).ok()??;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    // Paths are handed over relative to its folder.
    let mut builder = GitignoreBuilder::new(".");
    for line in text.trim_start_matches('\u{feff}').lines() {
        let _ = builder.add_line(None, line);
    }
    let rules = builder.build().ok()?;
    (!rules.is_empty()).then_some(rules)
}
