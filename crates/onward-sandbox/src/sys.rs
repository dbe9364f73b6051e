//! The calls of the kernel that no safe crate has: each is one function here, with the reason why it is sound.
//!
//! Everything else of this crate is safe code. None of these takes a pointer from its caller.

#![expect(unsafe_code, reason = "raw system calls without a safe wrapper; each block says why it is sound")]

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd};

use rustix::process::Pid;
use rustix::thread::UnshareFlags;

/// Attributes that are set on a mount, and never taken away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attributes(u64);

impl Attributes {
    /// Nobody writes through it.
    pub(crate) const READ_ONLY: Self = Self(libc::MOUNT_ATTR_RDONLY);
    /// Neither set-user-id programs nor devices count on it.
    pub(crate) const TAME: Self = Self(libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV);

    /// Both.
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Which mounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// This one.
    One,
    /// This one and all below it.
    Tree,
}

/// Sets attributes on the mount that the descriptor is the root of.
pub(crate) fn set_mount_attributes(mount: BorrowedFd<'_>, set: Attributes, reach: Reach) -> io::Result<()> {
    let below = match reach {
        Reach::One => 0,
        Reach::Tree => libc::AT_RECURSIVE,
    };
    let attributes = libc::mount_attr { attr_set: set.0, attr_clr: 0, propagation: 0, userns_fd: 0 };
    // SAFETY: the path is a static empty string with its end, the struct is initialised, lives across the call, is only
    // read, and its size is its own; the descriptor is borrowed for the call.
    let result = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            mount.as_raw_fd(),
            c"".as_ptr(),
            libc::AT_EMPTY_PATH | below,
            &raw const attributes,
            size_of::<libc::mount_attr>(),
        )
    };
    done(result)
}

/// Gives this process namespaces of its own. It must have one thread only.
pub(crate) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: it is unsafe for the sake of `CLONE_FILES`, which takes descriptors from under other threads: it is never
    // among the flags, and the launcher has no other thread.
    unsafe { rustix::thread::unshare_unsafe(flags.difference(UnshareFlags::FILES)) }.map_err(Into::into)
}

/// Splits this process in two: the child gets `None`. It must have one thread only.
pub(crate) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: fork server, supervisor and launcher have one thread, so that no lock can be held by a thread which the child
    // does not have.
    match unsafe { libc::fork() } {
        0 => Ok(None),
        child => Pid::from_raw(child).filter(|_| child > 0).map(Some).ok_or_else(io::Error::last_os_error),
    }
}

/// Makes every descriptor but the first three close when a program starts.
pub(crate) fn close_others_on_exec() -> io::Result<()> {
    // SAFETY: no descriptor is closed here, so that nobody's descriptor goes away under it.
    done(unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) })
}

/// Closes every descriptor but the first three. Whoever calls this has just been forked, and never goes back to anything
/// that held one.
pub(crate) fn close_others() -> io::Result<()> {
    // SAFETY: nothing of this process uses any of these descriptors again, nor drops what owns one: its caller does not
    // return.
    done(unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0) })
}

/// Ignores what asks a process to end. A program that is started afterwards would ignore it too.
pub(crate) fn ignore_requests_to_end() {
    for signal in [libc::SIGHUP, libc::SIGINT, libc::SIGQUIT, libc::SIGTERM] {
        // SAFETY: no handler is installed: ignoring runs no code.
        unsafe { libc::signal(signal, libc::SIG_IGN) };
    }
}

/// Which version of Landlock the kernel has.
///
/// # Errors
/// When it has none, or it was switched off when the system started.
pub(crate) fn landlock_version() -> io::Result<u32> {
    const ASK_FOR_VERSION: u32 = 1;
    // SAFETY: with this flag the kernel reads no attributes: it wants a null pointer and no size.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, ASK_FOR_VERSION)
    };
    u32::try_from(version).map_err(|_| io::Error::last_os_error())
}

fn done(result: libc::c_long) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
