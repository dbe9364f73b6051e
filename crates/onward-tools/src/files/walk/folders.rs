//! The way down and back up through folders, with one handle: each step resolves a single name.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::path::Path;

use cap_std::fs::Dir;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, fstat, openat, statat};

/// Folders that lie in each other, from the first to the top one, which was entered last.
pub(super) struct Folders {
    /// Of the top one, or of one that lies `deeper` levels below it and was left.
    handle: OwnedFd,
    deeper: usize,
    ids: Vec<Id>,
    #[cfg(test)]
    pub(super) lookups: usize,
}

/// Which folder it is, wherever it is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Id {
    device: u64,
    inode: u64,
}

/// An entry of a folder.
pub(super) struct Listed {
    pub(super) name: OsString,
    pub(super) kind: FileType,
}

impl Folders {
    /// Begins in this folder.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub(super) fn at(first: &Dir) -> io::Result<Self> {
        let handle = open(first.as_fd(), OsStr::new("."))?;
        let ids = vec![id_of(&handle)?];
        Ok(Self {
            handle,
            deeper: 0,
            ids,
            #[cfg(test)]
            lookups: 1,
        })
    }

    /// The top one, which was just entered or come back to.
    pub(super) fn top(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// Enters a folder of the top one. A symbolic link is none.
    ///
    /// # Errors
    /// When it is no folder, or cannot be opened; the top one stays the top one.
    pub(super) fn enter(&mut self, name: &OsStr) -> io::Result<()> {
        let handle = self.open(name)?;
        self.ids.push(id_of(&handle)?);
        self.handle = handle;
        Ok(())
    }

    /// Leaves the top one. Nothing is opened for it: often nothing more is wanted above.
    pub(super) fn leave(&mut self) {
        self.ids.pop();
        self.deeper += 1;
    }

    /// Opens the top one again after others in it were left. That what `..` leads to is the very folder that was entered
    /// is verified: a folder that was moved meanwhile would lead elsewhere. Then it is looked for at its path.
    ///
    /// # Errors
    /// When it is not there any more.
    pub(super) fn come_back(&mut self, root: &Dir, path: &Path) -> io::Result<()> {
        if self.deeper == 0 {
            return Ok(());
        }
        let wanted = self.ids.last().copied();
        if let Ok(handle) = self.up()
            && id_of(&handle).ok() == wanted
        {
            (self.handle, self.deeper) = (handle, 0);
            return Ok(());
        }
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let handle = OwnedFd::from(root.open_dir(path)?.into_std_file());
        if id_of(&handle).ok() != wanted {
            return Err(rustix::io::Errno::STALE.into());
        }
        (self.handle, self.deeper) = (handle, 0);
        Ok(())
    }

    /// What is in the top one, in no order.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(super) fn list(&mut self) -> io::Result<Vec<Listed>> {
        let mut listed = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.handle)? {
            let entry = entry?;
            let name = entry.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let kind = match entry.file_type() {
                // Some file systems do not say it with the name. One that is gone by now was never there.
                FileType::Unknown => match statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(stat) => FileType::from_raw_mode(stat.st_mode),
                    Err(_) => continue,
                },
                kind => kind,
            };
            listed.push(Listed { name: OsString::from_vec(name.to_bytes().to_vec()), kind });
        }
        Ok(listed)
    }

    fn up(&mut self) -> io::Result<OwnedFd> {
        let mut handle = self.open(OsStr::new(".."))?;
        for _ in 1..self.deeper {
            handle = open(handle.as_fd(), OsStr::new(".."))?;
        }
        Ok(handle)
    }

    fn open(&mut self, name: &OsStr) -> io::Result<OwnedFd> {
        #[cfg(test)]
        {
            self.lookups += self.deeper.max(1);
        }
        open(self.handle.as_fd(), name)
    }
}

/// Opens a regular file for reading; `None` when it is none. A symbolic link is none, and neither a pipe nor a device is
/// waited for or disturbed.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn plain_file(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<Option<File>> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = openat(folder, name, flags, Mode::empty())?;
    let is_plain = FileType::from_raw_mode(fstat(&file)?.st_mode).is_file();
    Ok(is_plain.then(|| File::from(file)))
}

fn open(folder: BorrowedFd<'_>, name: &OsStr) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(folder, name, flags, Mode::empty())?)
}

fn id_of(handle: &OwnedFd) -> io::Result<Id> {
    let stat = fstat(handle)?;
    Ok(Id { device: stat.st_dev, inode: stat.st_ino })
}
