//! What lies below a folder: sorted, without what ignore files name, without following symbolic links.
//!
//! A walk begins at the workspace's root and goes straight to the folder that is asked for. So the ignore files on the
//! way count, and none outside the workspace does. A folder that is itself ignored is walked all the same when it is
//! asked for by name.
//!
//! An entry costs the same at every depth: folders are opened by their name from the one above, never by a whole path,
//! and only levels that have an ignore file are asked about an entry. So a tree may be deeper than the longest path that
//! the kernel takes, and a walk holds no more than a few folders open.
//!
//! - [`folders`]: the way down and back up, by handle.
//! - [`ignored`]: the ignore files on the way.

mod folders;
mod ignored;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::Dir;
use onward_port::Cancel;
use rustix::fs::FileType;

use self::folders::{Folders, Listed, plain_file};
use self::ignored::Ignored;
use super::Files;
use crate::blocking::{Stopped, go_on};

/// Never entered unless asked for by name.
const NEVER: [&str; 2] = [".git", ".onward"];
/// The kernel's own, which a workspace `/` would contain.
const KERNEL: [&str; 2] = ["proc", "sys"];

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

/// One entry.
pub(crate) struct Entry<'a> {
    /// Its path from the root of the workspace.
    pub(crate) relative: &'a Path,
    /// Its path from where the walk starts.
    pub(crate) below: &'a Path,
    /// What it is; a symbolic link is one, wherever it leads.
    pub(crate) kind: FileType,
    folders: &'a mut Folders,
    root: &'a Dir,
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
    /// Calls `visit` with every entry below the start.
    ///
    /// # Errors
    /// When it is told to stop. What cannot be read is passed over.
    pub(crate) fn visit(&self, mut visit: impl FnMut(&mut Entry<'_>) -> GoOn) -> Result<Visited, Stopped> {
        match Walker::at_start(self) {
            Ok(mut walker) => walker.run(&mut visit),
            Err(_) => Ok(Visited::All),
        }
    }
}

impl Entry<'_> {
    /// Opens it for reading; `None` when it is no regular file, or none any more.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(crate) fn open(&mut self) -> io::Result<Option<File>> {
        let Some(name) = self.relative.file_name() else { return Ok(None) };
        let folder = self.relative.parent().unwrap_or(Path::new(""));
        self.folders.come_back(self.root, folder)?;
        plain_file(self.folders.top(), name)
    }
}

/// A walk under way.
struct Walker<'a> {
    walk: &'a Walk<'a>,
    folders: Folders,
    ignored: Ignored,
    /// The path of what is looked at, from the root.
    path: Vec<u8>,
    /// How much of it leads to the start, the slash behind that included.
    below: usize,
    /// What is still to be visited, for each folder from the start to the one that is looked at.
    levels: Vec<Level>,
    walked: usize,
}

/// A folder that was entered.
struct Level {
    /// How long its path is.
    path: usize,
    rest: std::vec::IntoIter<Listed>,
}

impl<'a> Walker<'a> {
    /// Goes from the root to the start.
    fn at_start(walk: &'a Walk<'a>) -> io::Result<Self> {
        let folders = Folders::at(walk.files.root())?;
        let (ignored, path) = (Ignored::default(), Vec::new());
        let mut walker = Self { walk, folders, ignored, path, below: 0, levels: Vec::new(), walked: 0 };
        for name in walk.start.iter().filter(|name| *name != ".") {
            walker.ignored.read(walker.folders.top(), walker.path.len());
            walker.push(name);
            if walker.ignored.has(&walker.path, true) {
                // It was asked for, so what would leave it out has no say below it either.
                walker.ignored.forget();
            }
            walker.folders.enter(name)?;
        }
        walker.below = walker.path.len() + usize::from(!walker.path.is_empty());
        walker.list()?;
        Ok(walker)
    }

    fn run(&mut self, visit: &mut dyn FnMut(&mut Entry<'_>) -> GoOn) -> Result<Visited, Stopped> {
        while let Some(level) = self.levels.last_mut() {
            go_on(self.walk.cancel)?;
            self.path.truncate(level.path);
            let Some(listed) = level.rest.next() else {
                self.leave();
                continue;
            };
            self.push(&listed.name);
            if self.is_left_out(&listed) {
                continue;
            }
            self.walked += 1;
            if self.walked > self.walk.max_walked {
                return Ok(Visited::Limit);
            }
            if visit(&mut self.entry(listed.kind))?.is_break() {
                return Ok(Visited::Enough);
            }
            if listed.kind.is_dir() && self.walk.depth.is_none_or(|depth| self.levels.len() < depth) {
                self.enter(&listed.name);
            }
        }
        Ok(Visited::All)
    }

    fn entry(&mut self, kind: FileType) -> Entry<'_> {
        let Self { path, below, folders, walk, .. } = self;
        let (relative, below) = (path_of(path), path_of(path.get(*below..).unwrap_or_default()));
        Entry { relative, below, kind, folders, root: walk.files.root() }
    }

    fn push(&mut self, name: &OsStr) {
        if !self.path.is_empty() {
            self.path.push(b'/');
        }
        self.path.extend_from_slice(name.as_bytes());
    }

    fn is_left_out(&self, listed: &Listed) -> bool {
        let at_top = self.path.len() == listed.name.len();
        NEVER.iter().any(|name| listed.name == *name)
            || at_top
                && KERNEL.iter().any(|name| listed.name == *name)
                && self.walk.files.paths().root() == "/"
            || self.ignored.has(&self.path, listed.kind.is_dir())
    }

    /// Enters the folder whose path stands in `path`. One that cannot be read is passed over.
    fn enter(&mut self, name: &OsString) {
        let parent = self.levels.last().map_or(0, |level| level.path);
        let above = path_of(self.path.get(..parent).unwrap_or_default());
        if self.folders.come_back(self.walk.files.root(), above).is_err() || self.folders.enter(name).is_err()
        {
            return;
        }
        if self.list().is_err() {
            self.folders.leave();
        }
    }

    /// Lists the folder that was entered last.
    fn list(&mut self) -> io::Result<()> {
        let mut listed = self.folders.list()?;
        listed.sort_unstable_by(|a, b| a.name.cmp(&b.name));
        self.ignored.read(self.folders.top(), self.path.len());
        self.levels.push(Level { path: self.path.len(), rest: listed.into_iter() });
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.ignored.leave(level.path);
        }
        self.folders.leave();
    }
}

fn path_of(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}

#[cfg(test)]
mod tests;
