//! Where a change would go, and what is there now.

use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};

use cap_std::fs::{Metadata, MetadataExt};
use onward_event::Digest;
use onward_port::{ToolFault, digest};

use super::{Files, Place};

/// Folders whose files no file tool changes: git's own, and the runtime's own.
const PROTECTED: [&str; 2] = [".git", ".onward"];

/// Where a change would go.
#[derive(Debug)]
pub(crate) struct Target {
    /// Relative to the root, without symbolic links: what is changed is never a link.
    pub(crate) real: PathBuf,
    /// The folder that exists already, relative to the root; those between it and the file would be made.
    pub(crate) existing: PathBuf,
    /// The file as it is; absent when there is none.
    pub(crate) current: Option<Current>,
}

/// A file as it is.
#[derive(Debug)]
pub(crate) struct Current {
    /// Its content.
    pub(crate) bytes: Vec<u8>,
    /// The digest of its content.
    pub(crate) hash: Digest,
    /// Its permission bits.
    pub(crate) mode: u32,
    /// How many names it has.
    pub(crate) links: u64,
}

impl Target {
    /// The digest of the file's content; absent when there is no file.
    pub(crate) fn hash(&self) -> Option<Digest> {
        self.current.as_ref().map(|current| current.hash)
    }

    /// The folders that would be made.
    pub(crate) fn new_folder(&self) -> Option<&Path> {
        self.real.parent().filter(|parent| *parent != self.existing && !parent.as_os_str().is_empty())
    }
}

impl Files {
    /// Finds out where a change of this place would go, and reads what is there.
    ///
    /// # Errors
    /// `protected_path`, `outside_workspace`, `is_a_directory`, `not_a_regular_file`, `too_large`, …
    pub(crate) fn target(&self, place: &Place, max_bytes: u64) -> Result<Target, ToolFault> {
        let relative = place.relative()?;
        refuse_protected(place, relative)?;
        let (existing, missing) = self.split_existing(place, relative)?;
        let real = missing.iter().fold(existing.clone(), |path, name| path.join(name));
        refuse_protected(place, &real)?;
        if missing.is_empty() {
            let current = self.read_current(place, max_bytes)?;
            let parent = existing.parent().filter(|parent| !parent.as_os_str().is_empty());
            let existing = parent.unwrap_or(Path::new(".")).to_path_buf();
            return Ok(Target { real, existing, current: Some(current) });
        }
        let real = real.strip_prefix(".").map(Path::to_path_buf).unwrap_or(real);
        Ok(Target { real, existing, current: None })
    }

    /// Splits a path into what exists, without symbolic links, and the names that do not exist below it.
    fn split_existing(&self, place: &Place, relative: &Path) -> Result<(PathBuf, Vec<OsString>), ToolFault> {
        let mut missing = Vec::new();
        let mut path = relative;
        loop {
            match self.real(path) {
                Ok(real) => {
                    missing.reverse();
                    return self.folder_or_whole(place, real, missing);
                }
                Err(error) if error.kind() == std::io::ErrorKind::NotFound && !self.is_link(path) => {
                    missing.push(path.file_name().unwrap_or(OsStr::new("")).to_os_string());
                    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                    path = parent.unwrap_or(Path::new("."));
                }
                Err(error) => return Err(self.fault(place, &error)),
            }
        }
    }

    fn folder_or_whole(
        &self,
        place: &Place,
        real: PathBuf,
        missing: Vec<OsString>,
    ) -> Result<(PathBuf, Vec<OsString>), ToolFault> {
        let meta = self.root().symlink_metadata(&real).map_err(|error| self.fault(place, &error))?;
        if !missing.is_empty() && !meta.is_dir() {
            return Err(self.fault(place, &std::io::ErrorKind::NotADirectory.into()));
        }
        Ok((real, missing))
    }

    fn is_link(&self, path: &Path) -> bool {
        self.root().symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
    }

    fn read_current(&self, place: &Place, max_bytes: u64) -> Result<Current, ToolFault> {
        let (file, found) = self.open_regular(place)?;
        refuse_large(place, found.meta.len(), max_bytes)?;
        let mut bytes = Vec::with_capacity(usize::try_from(found.meta.len()).unwrap_or(0));
        file.take(max_bytes + 1).read_to_end(&mut bytes).map_err(|error| self.fault(place, &error))?;
        // It may have grown meanwhile.
        refuse_large(place, bytes.len() as u64, max_bytes)?;
        Ok(Current { hash: digest(&bytes), bytes, mode: mode(&found.meta), links: found.meta.nlink() })
    }
}

fn mode(meta: &Metadata) -> u32 {
    meta.mode() & 0o7777
}

fn refuse_large(place: &Place, bytes: u64, max_bytes: u64) -> Result<(), ToolFault> {
    if bytes <= max_bytes {
        return Ok(());
    }
    let (shown, is, limit) = (&place.shown, crate::text::size(bytes), crate::text::size(max_bytes));
    let message = format!("`{shown}` has {is}, and file tools change files of up to {limit}; use a command");
    Err(ToolFault::new("too_large", message))
}

fn refuse_protected(place: &Place, path: &Path) -> Result<(), ToolFault> {
    let protected = path.iter().find_map(|name| PROTECTED.iter().find(|p| name.eq_ignore_ascii_case(p)));
    let Some(name) = protected else { return Ok(()) };
    let message = format!("`{}` is in `{name}`, which file tools read but never change", place.shown);
    Err(ToolFault::new("protected_path", message))
}
