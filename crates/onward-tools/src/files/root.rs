//! Finding and opening what exists, by the one handle on the workspace's root.

use std::io;
use std::path::{Component, Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions, OpenOptionsExt};
use onward_event::Workspace;
use onward_port::ToolFault;
use rustix::fs::OFlags;

use super::Place;
use super::faults::{is_escape, not_regular};
use super::paths::Paths;
use crate::error::ToolsError;

/// Symbolic links that one path may lead through, as in the kernel.
const MAX_LINKS: usize = 40;

/// The files of one workspace.
#[derive(Debug)]
pub(crate) struct Files {
    root: Dir,
    paths: Paths,
}

/// Something that exists in the workspace.
#[derive(Debug)]
pub(crate) struct Found {
    /// Relative to the root, without symbolic links.
    pub(crate) real: PathBuf,
    /// What it is.
    pub(crate) meta: Metadata,
}

impl Files {
    /// Opens the workspace's root.
    ///
    /// # Errors
    /// When the workspace's paths are not as they should be, or its root cannot be opened.
    pub(crate) fn open(workspace: &Workspace) -> Result<Self, ToolsError> {
        let failed = |source| ToolsError::Root { root: workspace.root.clone(), source };
        let given = Path::new(&workspace.root);
        if !given.is_absolute() {
            return Err(ToolsError::NotAbsolute { what: "root", path: workspace.root.clone() });
        }
        let real = given.canonicalize().map_err(failed)?;
        let paths = Paths::new(workspace, &real)?;
        let root = Dir::open_ambient_dir(&real, ambient_authority()).map_err(failed)?;
        Ok(Self { root, paths })
    }

    /// The handle.
    pub(crate) fn root(&self) -> &Dir {
        &self.root
    }

    /// The workspace's paths.
    pub(crate) fn paths(&self) -> &Paths {
        &self.paths
    }

    /// What is at a place, through the symbolic links that stay inside.
    ///
    /// # Errors
    /// `not_found`, `outside_workspace`, …
    pub(crate) fn find(&self, place: &Place) -> Result<Found, ToolFault> {
        let relative = place.relative()?;
        let found =
            self.real(relative).and_then(|real| Ok(Found { meta: self.root.symlink_metadata(&real)?, real }));
        found.map_err(|error| self.fault(place, &error))
    }

    /// Opens a regular file for reading, and nothing else: neither a pipe nor a device is waited for or disturbed.
    ///
    /// # Errors
    /// `not_a_regular_file`, `is_a_directory`, and those of [`Self::find`].
    pub(crate) fn open_regular(&self, place: &Place) -> Result<(std::fs::File, Found), ToolFault> {
        let found = self.find(place)?;
        if !found.meta.is_file() {
            return Err(not_regular(&place.shown, found.meta.file_type()));
        }
        let (file, meta) = self.open_real(&found.real).map_err(|error| self.fault(place, &error))?;
        if !meta.is_file() {
            return Err(not_regular(&place.shown, meta.file_type()));
        }
        Ok((file.into_std(), Found { meta, ..found }))
    }

    /// A path without symbolic links, relative to the root.
    ///
    /// The sandboxed calls refuse every absolute link; those that lead back into the workspace are followed here, by
    /// name. That cannot lead outside: the path that comes out is opened by a sandboxed call again.
    pub(crate) fn real(&self, relative: &Path) -> io::Result<PathBuf> {
        let mut path = relative.to_path_buf();
        for _ in 0..MAX_LINKS {
            match self.root.canonicalize(&path) {
                Err(error) if is_escape(&error) => path = self.without_first_link(&path).ok_or(error)?,
                done => return done,
            }
        }
        Err(rustix::io::Errno::LOOP.into())
    }

    fn without_first_link(&self, path: &Path) -> Option<PathBuf> {
        let mut prefix = PathBuf::new();
        let mut rest = path.components();
        while let Some(Component::Normal(name)) = rest.next() {
            prefix.push(name);
            if self.root.symlink_metadata(&prefix).ok()?.is_symlink() {
                let target = self.root.read_link_contents(&prefix).ok()?;
                let target = self.link_target(prefix.parent()?, &target)?;
                // A path joined with nothing would end with a slash, and so ask for a folder.
                return Some(target.components().chain(rest).collect());
            }
        }
        None
    }

    fn link_target(&self, folder: &Path, target: &Path) -> Option<PathBuf> {
        let base = if target.is_absolute() { String::new() } else { self.paths.absolute(folder) };
        self.paths.inside(&format!("{base}/{}", target.to_str()?)).map(PathBuf::from)
    }

    fn open_real(&self, real: &Path) -> io::Result<(cap_std::fs::File, Metadata)> {
        let mut options = OpenOptions::new();
        // Opening a pipe for reading would wait for a writer; what is not regular is told apart after opening.
        let flags = (OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW).bits();
        options.read(true).custom_flags(flags.cast_signed());
        let file = self.root.open_with(real, &options)?;
        let meta = file.metadata()?;
        Ok((file, meta))
    }
}
