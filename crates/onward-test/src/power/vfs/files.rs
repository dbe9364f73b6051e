//! What SQLite's handle of a file holds, and how it is opened.

use std::ffi::{c_char, c_int};
use std::ptr;

use rusqlite::ffi;

use super::folder::place;
use super::methods::METHODS;
use crate::power::handle::Handle;
use crate::power::machine::disk_under;

/// The size of [`OpenFile`], which SQLite sets aside for each file.
pub(super) const SIZE: c_int = size_of::<OpenFile>() as c_int;

/// What lies in the memory that SQLite sets aside: its own part first, as it demands.
#[repr(C)]
struct OpenFile {
    base: ffi::sqlite3_file,
    /// From `Box::into_raw`; ours until the file is closed.
    handle: *mut Handle,
}

/// `xOpen`.
///
/// # Safety
/// Called by SQLite as it promises; `file` is [`SIZE`] bytes that are suitably aligned.
pub(super) unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    let file = file.cast::<OpenFile>();
    // SAFETY: `file` is memory for an `OpenFile`. Without methods SQLite does not close what was not opened.
    unsafe { (*file).base.pMethods = ptr::null() };
    // SAFETY: a name ends with a zero byte, or is null for a temporary file.
    let Some(handle) = (unsafe { opened(name, flags) }) else { return ffi::SQLITE_CANTOPEN };
    // SAFETY: as above; `out_flags` is null or writable.
    unsafe {
        (*file).handle = Box::into_raw(Box::new(handle));
        (*file).base.pMethods = &raw const METHODS;
        if !out_flags.is_null() {
            *out_flags = flags;
        }
    }
    ffi::SQLITE_OK
}

/// The handle behind an open file.
///
/// # Safety
/// `file` was opened by [`open`] and is not closed; nothing else uses it while the reference lives.
pub(super) unsafe fn handle<'a>(file: *mut ffi::sqlite3_file) -> &'a mut Handle {
    // SAFETY: by the contract, so `handle` is a live box that only this call refers to.
    unsafe { &mut *(*file.cast::<OpenFile>()).handle }
}

/// `xClose`.
///
/// # Safety
/// Called by SQLite as it promises, once for each file.
pub(super) unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    // SAFETY: the box was made by `open`, and SQLite does not use the file again: it is freed once.
    drop(unsafe { Box::from_raw((*file.cast::<OpenFile>()).handle) });
    ffi::SQLITE_OK
}

/// # Safety
/// `name` is null or ends with a zero byte.
unsafe fn opened(name: *const c_char, flags: c_int) -> Option<Handle> {
    // SAFETY: by the contract. Temporary files have no name and no place here: none are needed, see `temp_store`.
    let (folder, name) = unsafe { place(name) }?;
    let disk = disk_under(folder)?;
    let file = disk.open(name, flags & ffi::SQLITE_OPEN_CREATE != 0)?;
    let named_by_sync = ffi::SQLITE_OPEN_WAL | ffi::SQLITE_OPEN_MAIN_JOURNAL | ffi::SQLITE_OPEN_SUPER_JOURNAL;
    Some(Handle::new(disk, file, flags & named_by_sync != 0))
}
