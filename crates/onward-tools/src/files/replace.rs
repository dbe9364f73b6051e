//! A file's new content, whole or not at all: written beside it, put on disk, and renamed over it.
//!
//! The new content's temporary file is named after the call, so that whoever finds one after a crash knows whose it
//! is: the call itself, when it is reconciled, removes it.

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::path::Path;

use cap_std::fs::{Dir, MetadataExt, OpenOptions, OpenOptionsExt, Permissions, PermissionsExt};
use onward_event::{CallId, Digest};
use onward_port::{ToolFault, digest};
use rustix::fs::{Gid, Mode, OFlags, RenameFlags, Uid};

use super::{Files, Place};

/// One change of one file.
#[derive(Debug)]
pub(crate) struct Replacement<'a> {
    /// The file, as the model named it: for faults.
    pub(crate) place: &'a Place,
    /// The file, relative to the root, without symbolic links.
    pub(crate) real: &'a Path,
    /// The call whose change it is.
    pub(crate) call: CallId,
    /// The content that the file must still have; absent when it must not exist.
    pub(crate) before: Option<Digest>,
    /// The new content.
    pub(crate) bytes: &'a [u8],
    /// Permission bits to keep; absent for those of a new file.
    pub(crate) mode: Option<u32>,
    /// Bytes of the file that are compared at most; a larger file is another than it was.
    pub(crate) max_bytes: u64,
}

/// Why a file was not replaced.
#[derive(Debug)]
pub(crate) enum ReplaceError {
    /// Nothing was changed.
    Nothing(ToolFault),
    /// The file has its new content, and it is not known whether the disk has it.
    Unclear(String),
}

impl Files {
    /// Replaces or creates the file; when this returns, the change is on disk.
    ///
    /// # Errors
    /// `changed_meanwhile` when the file is not what `before` says: looked at last thing before the rename.
    pub(crate) fn replace(&self, change: &Replacement<'_>) -> Result<(), ReplaceError> {
        let nothing = |error: io::Error| ReplaceError::Nothing(self.fault(change.place, &error));
        let (dir, name) = self.parent(change.real).map_err(nothing)?;
        let temp = temp_name(change.call);
        let prepared = write_temp(&dir, &temp, &name, change).map_err(nothing);
        let renamed = prepared.and_then(|()| self.rename(&dir, &temp, &name, change));
        if renamed.is_err() {
            // What cannot be removed now is removed when the call is reconciled, or never harms.
            let _ = dir.remove_file(&temp);
        }
        renamed?;
        sync_dir(&dir).map_err(|error| {
            ReplaceError::Unclear(format!(
                "`{}` has its new content, but its folder could not be put on disk: {error}",
                change.place.shown
            ))
        })
    }

    /// Puts a file and its folder on disk, and removes what a crash left beside it.
    pub(crate) fn settle(&self, real: &Path, call: CallId) -> io::Result<()> {
        let (dir, name) = match self.parent_if_exists(real) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found?,
        };
        let _ = dir.remove_file(temp_name(call));
        match open_here(&dir, &name) {
            Ok(file) => file.sync_all()?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        sync_dir(&dir)
    }

    fn rename(
        &self,
        dir: &Dir,
        temp: &OsStr,
        name: &OsStr,
        change: &Replacement<'_>,
    ) -> Result<(), ReplaceError> {
        let nothing = |error: &io::Error| ReplaceError::Nothing(self.fault(change.place, error));
        let now = hash_here(dir, name, change.max_bytes).map_err(|error| nothing(&error))?;
        if now != change.before {
            return Err(ReplaceError::Nothing(changed_meanwhile(change.place, change.before, now)));
        }
        let renamed = match change.before {
            Some(_) => dir.rename(temp, dir, name),
            None => rename_new(dir, temp, name),
        };
        match renamed {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let now = hash_here(dir, name, change.max_bytes).ok().flatten();
                Err(ReplaceError::Nothing(changed_meanwhile(change.place, change.before, now)))
            }
            done => done.map_err(|error| nothing(&error)),
        }
    }

    /// The folder of a file, made if need be, each new folder's name on disk.
    fn parent(&self, real: &Path) -> io::Result<(Dir, OsString)> {
        let name = file_name(real)?;
        let mut dir = self.root().try_clone()?;
        for component in real.parent().unwrap_or(Path::new("")) {
            match dir.create_dir(component) {
                Ok(()) => sync_dir(&dir)?,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                // In a folder that is not ours to write, what exists already can still be entered.
                Err(error) if dir.is_dir(component) => drop(error),
                Err(error) => return Err(error),
            }
            dir = dir.open_dir(component)?;
        }
        Ok((dir, name))
    }

    fn parent_if_exists(&self, real: &Path) -> io::Result<(Dir, OsString)> {
        let parent = real.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok((self.root().open_dir(parent)?, file_name(real)?))
    }
}

/// The fault of a file that is not what the call was planned on.
pub(crate) fn changed_meanwhile(place: &Place, before: Option<Digest>, now: Option<Digest>) -> ToolFault {
    let said =
        |hash: Option<Digest>| hash.map_or("no file".into(), |hash| format!("content {}", hash.short()));
    let message = format!(
        "`{}` changed since this call was planned (then: {}, now: {}); nothing was written. Read it again, then repeat the call",
        place.shown,
        said(before),
        said(now)
    );
    ToolFault::new("changed_meanwhile", message)
}

fn temp_name(call: CallId) -> OsString {
    format!(".onward-tmp-{call}").into()
}

fn file_name(real: &Path) -> io::Result<OsString> {
    real.file_name().map(OsStr::to_os_string).ok_or_else(|| io::ErrorKind::IsADirectory.into())
}

fn write_temp(dir: &Dir, temp: &OsStr, name: &OsStr, change: &Replacement<'_>) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    if change.mode.is_some() {
        // Nobody may read it before it has the old file's permissions.
        options.mode(0o600);
    }
    let mut file = match dir.open_with(temp, &options) {
        // Left by an earlier run of this very call.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            dir.remove_file(temp)?;
            dir.open_with(temp, &options)?
        }
        opened => opened?,
    };
    file.write_all(change.bytes)?;
    if let Some(mode) = change.mode {
        keep_owner(dir, name, &file);
        file.set_permissions(Permissions::from_mode(mode))?;
    }
    file.sync_all()
}

/// A new file belongs to whoever runs the tool. Where that is somebody else than the old one's owner, it is given
/// back; only root can, for everybody else it is as with any editor that replaces files.
fn keep_owner(dir: &Dir, name: &OsStr, file: &cap_std::fs::File) {
    let (Ok(old), Ok(new)) = (dir.symlink_metadata(name), file.metadata()) else { return };
    if (old.uid(), old.gid()) != (new.uid(), new.gid()) {
        let _ = rustix::fs::fchown(file, Some(Uid::from_raw(old.uid())), Some(Gid::from_raw(old.gid())));
    }
}

/// Renames, unless there is a file of that name by now. A file system that cannot promise that is asked just before.
fn rename_new(dir: &Dir, temp: &OsStr, name: &OsStr) -> io::Result<()> {
    match rustix::fs::renameat_with(dir.as_fd(), temp, dir.as_fd(), name, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS) => dir.rename(temp, dir, name),
        done => Ok(done?),
    }
}

/// The digest of a file in this folder; `None` when there is none. A symbolic link is an error: it was none before.
fn hash_here(dir: &Dir, name: &OsStr, max_bytes: u64) -> io::Result<Option<Digest>> {
    let file = match open_here(dir, name) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let mut bytes = Vec::new();
    file.take(max_bytes + 1).read_to_end(&mut bytes)?;
    Ok(Some(digest(&bytes)))
}

fn open_here(dir: &Dir, name: &OsStr) -> io::Result<cap_std::fs::File> {
    let mut options = OpenOptions::new();
    let flags = (OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW).bits();
    options.read(true).custom_flags(flags.cast_signed());
    let file = dir.open_with(name, &options)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::other("it is no regular file any more"))
    }
}

fn sync_dir(dir: &Dir) -> io::Result<()> {
    // The handle may be one that only names the folder, which the kernel does not sync.
    let open = rustix::fs::openat(
        dir.as_fd(),
        ".",
        OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    Ok(rustix::fs::fsync(open)?)
}

#[cfg(test)]
mod tests {
    use onward_event::Workspace;

    use super::*;

    /// Replaces `a` in a folder that holds `now`, planned on `before`: what the file is then, and the fault.
    fn replaced(now: Option<&str>, before: Option<&str>) -> (Option<String>, Option<String>) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_str().unwrap().to_owned();
        let files = Files::open(&Workspace { root: root.clone(), dir: root }).unwrap();
        if let Some(now) = now {
            std::fs::write(folder.path().join("a"), now).unwrap();
        }
        let done = files.replace(&Replacement {
            place: &files.paths().place("a").unwrap(),
            real: Path::new("a"),
            call: CallId::from_bits(1),
            before: before.map(|content| digest(content.as_bytes())),
            bytes: b"new",
            mode: None,
            max_bytes: 100,
        });
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert!(left <= 1, "no temporary file is left");
        let fault = match done {
            Ok(()) => None,
            Err(ReplaceError::Nothing(fault)) => Some(fault.code),
            Err(ReplaceError::Unclear(why)) => panic!("{why}"),
        };
        (std::fs::read_to_string(folder.path().join("a")).ok(), fault)
    }

    #[test]
    fn the_content_is_compared_last_thing_before_the_rename() {
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(replaced(Some("old"), Some("old")), (text("new"), None));
        assert_eq!(replaced(None, None), (text("new"), None));
        assert_eq!(replaced(Some("theirs"), Some("old")), (text("theirs"), text("changed_meanwhile")));
        assert_eq!(replaced(Some("theirs"), None), (text("theirs"), text("changed_meanwhile")));
        assert_eq!(replaced(None, Some("old")), (None, text("changed_meanwhile")));
        let huge = "x".repeat(1_000);
        assert_eq!(replaced(Some(&huge), Some("old")), (Some(huge.clone()), text("changed_meanwhile")));
    }

    #[test]
    fn a_new_name_is_never_taken_from_somebody_else() {
        let folder = tempfile::tempdir().unwrap();
        let dir = Dir::open_ambient_dir(folder.path(), cap_std::ambient_authority()).unwrap();
        dir.write("temp", "new").unwrap();
        dir.write("a", "theirs").unwrap();
        let refused = rename_new(&dir, OsStr::new("temp"), OsStr::new("a")).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(dir.read_to_string("a").unwrap(), "theirs");
    }
}
