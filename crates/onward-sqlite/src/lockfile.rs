//! Files that are locked for as long as a process lives.
//!
//! The lock is `flock`: it belongs to the open file, ends with the process however that ends, and is not inherited by
//! programs that it starts. Names are never used twice, so a name whose file is gone or unlocked means that its
//! process is gone. Whoever only looks takes the *shared* lock: two who look at once do not see each other as owners.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

/// How often a new file is tried when somebody removes it before it is locked.
const ATTEMPTS: usize = 8;

/// How many entries of a folder one sweep looks at.
const SWEEP_LIMIT: usize = 256;

/// What stands in the place of a file is opened neither through a link nor by waiting for its other end.
pub(crate) const NO_LINK: i32 = OFlags::NOFOLLOW.union(OFlags::NONBLOCK).bits().cast_signed();

/// A file that is locked while this lives, and removed with it.
#[derive(Debug)]
pub(crate) struct LockedFile {
    name: String,
    path: PathBuf,
    file: File,
    keep: bool,
}

impl LockedFile {
    /// Makes a file of a new name, readable by its user only, and locks it.
    pub(crate) fn create(folder: &Path) -> io::Result<Self> {
        for _ in 0..ATTEMPTS {
            if let Some(file) = Self::try_create(folder)? {
                return Ok(file);
            }
        }
        Err(io::Error::new(
            io::ErrorKind::WouldBlock,
            "a new lock file was removed each time before it was locked",
        ))
    }

    fn try_create(folder: &Path) -> io::Result<Option<Self>> {
        let name = format!("{}.lock", uuid::Uuid::now_v7().simple());
        let path = folder.join(&name);
        let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(&path)?;
        let made = Self { name, path, file, keep: false };
        match made.file.try_lock() {
            // Between making and locking it, a sweep may have found it unlocked and removed it.
            Ok(()) => Ok(is_still_there(&made.path, &made.file).then_some(made)),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Its name in its folder.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The open file, for what is to be written to it.
    pub(crate) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives it its final name; it is no longer removed, and no longer locked.
    pub(crate) fn rename(mut self, to: &Path) -> io::Result<()> {
        std::fs::rename(&self.path, to)?;
        self.keep = true;
        Ok(())
    }
}

impl Drop for LockedFile {
    fn drop(&mut self) {
        if !self.keep {
            // A file that cannot be removed is found unlocked by a later sweep.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Whether a living process holds this file.
pub(crate) fn is_held(path: &Path) -> io::Result<bool> {
    Ok(matches!(look(path)?, Found::Held))
}

/// Removes a file that nobody holds; leaves one that is held.
pub(crate) fn remove_stale(path: &Path) {
    if let Ok(Found::Free(file)) = look(path)
        && is_still_there(path, &file)
    {
        let _ = std::fs::remove_file(path);
    }
}

/// Removes every file in the folder that nobody holds.
pub(crate) fn sweep(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten().take(SWEEP_LIMIT) {
        if entry.file_name().to_str().is_some_and(is_name) {
            remove_stale(&entry.path());
        }
    }
}

/// Whether this can be the name of such a file. A name from a damaged store must not lead anywhere else.
pub(crate) fn is_name(name: &str) -> bool {
    name.strip_suffix(".lock")
        .is_some_and(|stem| !stem.is_empty() && stem.bytes().all(|c| c.is_ascii_alphanumeric()))
}

enum Found {
    Missing,
    Held,
    /// Locked shared for as long as this file is open.
    Free(File),
}

fn look(path: &Path) -> io::Result<Found> {
    let file = match OpenOptions::new().read(true).custom_flags(NO_LINK).open(path) {
        Ok(file) if !file.metadata()?.is_file() => {
            return Err(io::Error::other("it is no file, and was left alone"));
        }
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Missing),
        Err(error) => return Err(error),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(Found::Free(file)),
        Err(TryLockError::WouldBlock) => Ok(Found::Held),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

fn is_still_there(path: &Path, file: &File) -> bool {
    let (Ok(by_path), Ok(by_file)) = (std::fs::metadata(path), file.metadata()) else { return false };
    by_path.dev() == by_file.dev() && by_path.ino() == by_file.ino()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_file_survives_a_sweep_and_a_stale_one_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let held = LockedFile::create(folder.path()).unwrap();
        let stale = folder.path().join("0123.lock");
        std::fs::write(&stale, "").unwrap();
        let other = folder.path().join("notes.txt");
        std::fs::write(&other, "").unwrap();
        assert!(is_held(&held.path).unwrap());
        assert!(!is_held(&stale).unwrap());
        sweep(folder.path());
        assert!(held.path.exists() && !stale.exists() && other.exists());
        let path = held.path.clone();
        drop(held);
        assert!(!path.exists());
        assert!(!is_held(&path).unwrap());
    }

    #[test]
    fn two_who_look_at_once_do_not_take_each_other_for_owners() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("0123.lock");
        std::fs::write(&path, "").unwrap();
        let first = look(&path).unwrap();
        assert!(matches!(first, Found::Free(_)));
        assert!(!is_held(&path).unwrap());
    }

    #[test]
    fn a_name_leads_nowhere_else() {
        assert!(is_name("0190abcdef.lock"));
        for bad in ["../x.lock", ".lock", "a/b.lock", "x", ""] {
            assert!(!is_name(bad), "{bad}");
        }
    }
}
