//! Mounts as descriptors: made, marked and put into place without a path that somebody else could turn elsewhere.

use std::io;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, openat2};
use rustix::mount::{
    FsMountFlags, FsOpenFlags, MountAttrFlags, MoveMountFlags, OpenTreeFlags, fsconfig_create,
    fsconfig_set_string, fsmount, fsopen, move_mount, open_tree,
};

use crate::sys::{Attributes, Reach, set_mount_attributes};

/// Opens what this path names, and not what a symbolic link on the way makes of it.
pub(super) fn open_exact(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    openat2(CWD, path, flags, Mode::empty(), resolve).map_err(Into::into)
}

/// A mount that is in no place yet, or was put into one.
pub(super) struct Mount(OwnedFd);

impl Mount {
    /// A copy of what is mounted at a path, with all that is mounted below it.
    pub(super) fn copy_of(path: &Path) -> io::Result<Self> {
        let flags = OpenTreeFlags::OPEN_TREE_CLONE
            | OpenTreeFlags::OPEN_TREE_CLOEXEC
            | OpenTreeFlags::AT_EMPTY_PATH
            | OpenTreeFlags::AT_RECURSIVE;
        open_tree(open_exact(path)?, "", flags).map(Self).map_err(Into::into)
    }

    /// What is mounted at `/`.
    pub(super) fn root() -> io::Result<Self> {
        open_exact(Path::new("/")).map(Self)
    }

    /// A new, empty file system of this kind.
    pub(super) fn new(kind: &str, options: &[(&str, &str)]) -> io::Result<Self> {
        let fs = fsopen(kind, FsOpenFlags::FSOPEN_CLOEXEC)?;
        for (key, value) in options {
            fsconfig_set_string(fs.as_fd(), *key, *value)?;
        }
        fsconfig_create(fs.as_fd())?;
        let attributes = MountAttrFlags::MOUNT_ATTR_NOSUID | MountAttrFlags::MOUNT_ATTR_NODEV;
        let attributes = if kind == "devpts" { MountAttrFlags::MOUNT_ATTR_NOSUID } else { attributes };
        fsmount(fs.as_fd(), FsMountFlags::FSMOUNT_CLOEXEC, attributes).map(Self).map_err(Into::into)
    }

    /// Sets attributes on it, and on all below it if `reach` says so.
    pub(super) fn mark(&self, attributes: Attributes, reach: Reach) -> io::Result<()> {
        set_mount_attributes(self.0.as_fd(), attributes, reach)
    }

    /// Whether its root is a folder.
    pub(super) fn is_folder(&self) -> io::Result<bool> {
        Ok(FileType::from_raw_mode(fstat(&self.0)?.st_mode).is_dir())
    }

    /// Puts it into its place.
    pub(super) fn put(&self, at: &Path) -> io::Result<()> {
        let target = open_exact(at)?;
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
        move_mount(self.0.as_fd(), "", target.as_fd(), "", flags).map_err(Into::into)
    }
}
