//! What lies below a folder: sorted, without what ignore files name, without following symbolic links.
//!
//! A walk begins at the workspace's root and goes straight to the folder that is asked for. So the ignore files on the
//! way count, and none outside the workspace does. A folder that is itself ignored is walked all the same when it is
//! asked for by name.

use std::cell::Cell;
use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::{DirEntry, WalkBuilder};
use onward_port::Cancel;

use super::Files;
use crate::blocking::{Stopped, go_on};

/// What a walk reads in each folder that it enters.
const IGNORE_FILES: [&str; 3] = [".gitignore", ".ignore", ".git/info/exclude"];
/// Never entered unless asked for by name.
const NEVER: [&str; 2] = [".git", ".onward"];
/// The kernel's own, which a workspace `/` would contain.
const KERNEL: [&str; 2] = ["/proc", "/sys"];

/// A walk to make.
pub(crate) struct Walk<'a> {
    /// The workspace.
    pub(crate) files: &'a Files,
    /// Where, relative to the root, without symbolic links.
    pub(crate) start: &'a Path,
    /// How deep below `start`; 1 is what is directly in it.
    pub(crate) depth: Option<usize>,
    /// Entries to visit at most.
    pub(crate) max_walked: usize,
    /// Tells it to stop.
    pub(crate) cancel: &'a Arc<dyn Cancel>,
}

/// What a visitor says: more, enough, or that it was told to stop.
pub(crate) type GoOn = Result<ControlFlow<()>, Stopped>;

/// How a walk ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visited {
    /// It has seen everything.
    All,
    /// Its visitor had enough.
    Enough,
    /// It met the limit of entries.
    Limit,
}

impl Walk<'_> {
    /// Calls `visit` with every entry below the start, its path relative to the root.
    ///
    /// # Errors
    /// When it is told to stop. What cannot be read is passed over.
    pub(crate) fn visit(&self, mut visit: impl FnMut(&Path, &DirEntry) -> GoOn) -> Result<Visited, Stopped> {
        let seen_start = Cell::new(self.is_root());
        let ended = self.visit_from(Path::new(""), &seen_start, &mut visit)?;
        if seen_start.get() { Ok(ended) } else { self.visit_from(self.start, &seen_start, &mut visit) }
    }

    fn visit_from(
        &self,
        from: &Path,
        seen_start: &Cell<bool>,
        visit: &mut dyn FnMut(&Path, &DirEntry) -> GoOn,
    ) -> Result<Visited, Stopped> {
        let root = PathBuf::from(self.files.paths().root());
        let mut walked = 0;
        // The walk itself is never asked whether it enters where it begins.
        if !has_plain_ignore_files(&root.join(from)) {
            return Ok(Visited::All);
        }
        for entry in self.builder(&root, from).build().flatten() {
            go_on(self.cancel)?;
            let relative = entry.path().strip_prefix(&root).unwrap_or(Path::new(""));
            let below =
                if self.is_root() { relative } else { relative.strip_prefix(self.start).unwrap_or(relative) };
            if !self.is_root() && !relative.starts_with(self.start) {
                continue;
            }
            seen_start.set(true);
            if below.as_os_str().is_empty() {
                continue;
            }
            walked += 1;
            if walked > self.max_walked {
                return Ok(Visited::Limit);
            }
            if visit(relative, &entry)?.is_break() {
                return Ok(Visited::Enough);
            }
        }
        Ok(Visited::All)
    }

    fn builder(&self, root: &Path, from: &Path) -> WalkBuilder {
        let mut builder =
            WalkBuilder::new(if from.as_os_str().is_empty() { root.into() } else { root.join(from) });
        // Neither the person's own git settings nor the process's folder have a say: the workspace speaks for itself.
        builder.current_dir(root).git_global(false).parents(false);
        builder.hidden(false).require_git(false).follow_links(false).sort_by_file_name(OsStr::cmp);
        let above = if self.is_root() { 0 } else { self.start.iter().count() } - from.iter().count();
        builder.max_depth(self.depth.map(|depth| depth + above));
        let (root, start) =
            (root.to_path_buf(), if self.is_root() { PathBuf::new() } else { self.start.into() });
        builder.filter_entry(move |entry| enters(&root, &start, entry));
        builder
    }

    fn is_root(&self) -> bool {
        self.start == Path::new(".")
    }
}

/// Whether what stands where a folder's ignore files would are files: a pipe there would be waited for, so a folder with
/// one is not walked.
fn has_plain_ignore_files(folder: &Path) -> bool {
    IGNORE_FILES.iter().all(|name| std::fs::metadata(folder.join(name)).map_or(true, |found| found.is_file()))
}

/// Whether an entry is on the way to the start, or below it and of interest.
fn enters(root: &Path, start: &Path, entry: &DirEntry) -> bool {
    let relative = entry.path().strip_prefix(root).unwrap_or(Path::new(""));
    if entry.file_type().is_some_and(|kind| kind.is_dir()) && !has_plain_ignore_files(entry.path()) {
        return false;
    }
    if start.starts_with(relative) {
        return true;
    }
    relative.starts_with(start)
        && !NEVER.iter().any(|name| entry.file_name() == *name)
        && !KERNEL.iter().any(|path| entry.path() == Path::new(path))
}
