//! Names of files, and what else SQLite asks of a VFS rather than of a file.

use std::ffi::{CStr, c_char, c_int};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusqlite::ffi;

use crate::power::chance::Chance;
use crate::power::machine::disk_under;

/// The folder and the name of a file, from its path; `None` when there is no path or it has no folder.
///
/// # Safety
/// `path` is null or ends with a zero byte, and stays unchanged for as long as the names are used.
pub(super) unsafe fn place<'a>(path: *const c_char) -> Option<(&'a str, &'a str)> {
    if path.is_null() {
        return None;
    }
    // SAFETY: by the contract.
    unsafe { CStr::from_ptr(path) }.to_str().ok()?.rsplit_once('/')
}

/// `xDelete`.
///
/// # Safety
/// Called by SQLite as it promises.
pub(super) unsafe extern "C" fn delete(_: *mut ffi::sqlite3_vfs, path: *const c_char, sync: c_int) -> c_int {
    // SAFETY: SQLite passes a path that ends with a zero byte and outlives the call.
    let Some((folder, name)) = (unsafe { place(path) }) else { return ffi::SQLITE_IOERR_DELETE };
    let Some(disk) = disk_under(folder) else { return ffi::SQLITE_IOERR_DELETE };
    if !disk.remove(name) {
        return ffi::SQLITE_IOERR_DELETE_NOENT;
    }
    if sync != 0 {
        disk.sync_names();
    }
    ffi::SQLITE_OK
}

/// `xAccess`. As with the system's own VFS, an empty file counts as none.
///
/// # Safety
/// Called by SQLite as it promises.
pub(super) unsafe extern "C" fn access(
    _: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    _: c_int,
    out: *mut c_int,
) -> c_int {
    // SAFETY: SQLite passes a path that ends with a zero byte and outlives the call.
    let len = unsafe { place(path) }.and_then(|(folder, name)| disk_under(folder)?.len_of(name));
    // SAFETY: `out` is writable.
    unsafe { *out = c_int::from(len.is_some_and(|len| len > 0)) };
    ffi::SQLITE_OK
}

/// `xFullPathname`: every path is one already.
///
/// # Safety
/// Called by SQLite as it promises.
pub(super) unsafe extern "C" fn full_path(
    _: *mut ffi::sqlite3_vfs,
    path: *const c_char,
    size: c_int,
    out: *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes a path that ends with a zero byte.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes_with_nul();
    if path.len() > usize::try_from(size).unwrap_or(0) {
        return ffi::SQLITE_CANTOPEN;
    }
    // SAFETY: `out` has `size` bytes, which are no fewer than those of the path, and overlaps nothing.
    unsafe { out.copy_from_nonoverlapping(path.as_ptr().cast(), path.len()) };
    ffi::SQLITE_OK
}

/// `xRandomness`. SQLite takes its own from the system's VFS; this is for completeness.
///
/// # Safety
/// Called by SQLite as it promises.
pub(super) unsafe extern "C" fn randomness(_: *mut ffi::sqlite3_vfs, size: c_int, out: *mut c_char) -> c_int {
    let size_in_bytes = usize::try_from(size).unwrap_or(0);
    // SAFETY: `out` has `size` bytes, initialised by SQLite or plain characters, and nobody else uses them meanwhile.
    let out = unsafe { std::slice::from_raw_parts_mut(out.cast::<u8>(), size_in_bytes) };
    let mut chance = Chance::new(u64::try_from(since_1970().as_nanos()).unwrap_or(0));
    out.iter_mut().for_each(|byte| *byte = chance.any().to_le_bytes()[0]);
    size
}

/// `xSleep`.
///
/// # Safety
/// None of its arguments is looked into.
pub(super) unsafe extern "C" fn sleep(_: *mut ffi::sqlite3_vfs, micros: c_int) -> c_int {
    std::thread::sleep(Duration::from_micros(u64::try_from(micros).unwrap_or(0)));
    micros
}

/// `xCurrentTime`: days since noon of the first day of the Julian calendar.
///
/// # Safety
/// Called by SQLite as it promises.
pub(super) unsafe extern "C" fn current_time(_: *mut ffi::sqlite3_vfs, out: *mut f64) -> c_int {
    // SAFETY: `out` is writable.
    unsafe { *out = since_1970().as_secs_f64() / 86_400.0 + 2_440_587.5 };
    ffi::SQLITE_OK
}

/// `xCurrentTimeInt64`: the same in milliseconds.
///
/// # Safety
/// Called by SQLite as it promises.
pub(super) unsafe extern "C" fn current_time_millis(_: *mut ffi::sqlite3_vfs, out: *mut i64) -> c_int {
    const TO_1970: i64 = 210_866_760_000_000;
    // SAFETY: `out` is writable.
    unsafe { *out = i64::try_from(since_1970().as_millis()).unwrap_or(0).saturating_add(TO_1970) };
    ffi::SQLITE_OK
}

/// `xGetLastError`: there is nothing to tell.
///
/// # Safety
/// None of its arguments is looked into.
pub(super) unsafe extern "C" fn last_error(_: *mut ffi::sqlite3_vfs, _: c_int, _: *mut c_char) -> c_int {
    0
}

fn since_1970() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
