//! The disk as a VFS of SQLite: the one place with `unsafe` code, which only translates between C and [`Handle`].
//!
//! SQLite promises, and every argument below relies on it: a `sqlite3_file` that is passed to a method was opened by
//! [`open`](files::open) of this VFS and not closed since; one connection, and so one thread at a time, uses it; buffers
//! have the length that is passed beside them and are not read or written by anybody else during the call; names end
//! with a zero byte. The library is built thread-safe, and registering is done under its own mutex.

#![expect(unsafe_code, reason = "SQLite calls a VFS through C function pointers and hands it raw memory")]

mod files;
mod folder;
mod methods;

use std::ffi::c_int;
use std::sync::OnceLock;

use anyhow::{Result, bail};
use rusqlite::ffi;

/// What the VFS is called, for opening connections through it.
pub(crate) const NAME: &str = "onward-power";

const C_NAME: &std::ffi::CStr = c"onward-power";

/// The longest path that it takes, in bytes.
const LONGEST_PATH: c_int = 1024;

/// Makes the VFS known to SQLite. It stays so until the process ends.
///
/// # Errors
/// When SQLite does not take it.
pub(crate) fn register() -> Result<()> {
    static CODE: OnceLock<c_int> = OnceLock::new();
    let code = *CODE.get_or_init(|| {
        let vfs: &'static mut ffi::sqlite3_vfs = Box::leak(Box::new(table()));
        // SAFETY: the structure is leaked, so it lives as long as SQLite may use it, and nobody else has it: from
        // here on it is SQLite's to change (it links it into a list).
        unsafe { ffi::sqlite3_vfs_register(vfs, 0) }
    });
    if code != ffi::SQLITE_OK {
        bail!("SQLite did not take the VFS {NAME}: code {code}");
    }
    Ok(())
}

fn table() -> ffi::sqlite3_vfs {
    ffi::sqlite3_vfs {
        iVersion: 2,
        szOsFile: files::SIZE,
        mxPathname: LONGEST_PATH,
        pNext: std::ptr::null_mut(),
        zName: C_NAME.as_ptr(),
        pAppData: std::ptr::null_mut(),
        xOpen: Some(files::open),
        xDelete: Some(folder::delete),
        xAccess: Some(folder::access),
        xFullPathname: Some(folder::full_path),
        // Nothing is ever loaded through it.
        xDlOpen: None,
        xDlError: None,
        xDlSym: None,
        xDlClose: None,
        xRandomness: Some(folder::randomness),
        xSleep: Some(folder::sleep),
        xCurrentTime: Some(folder::current_time),
        xGetLastError: Some(folder::last_error),
        xCurrentTimeInt64: Some(folder::current_time_millis),
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    }
}
