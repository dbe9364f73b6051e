//! What SQLite does with an open file.

use std::ffi::{c_int, c_void};
use std::ops::Range;
use std::sync::atomic::{Ordering, fence};
use std::{ptr, slice};

use rusqlite::ffi;

use super::files::{close, handle};
use crate::power::locks::Level;
use crate::power::shm::Share;

/// The methods of every file.
pub(super) static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(file_size),
    xLock: Some(lock),
    xUnlock: Some(unlock),
    xCheckReservedLock: Some(check_reserved_lock),
    xFileControl: Some(file_control),
    xSectorSize: Some(sector_size),
    xDeviceCharacteristics: Some(device_characteristics),
    xShmMap: Some(shm_map),
    xShmLock: Some(shm_lock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

unsafe extern "C" fn read(file: *mut ffi::sqlite3_file, into: *mut c_void, len: c_int, at: i64) -> c_int {
    // SAFETY: zeros are valid bytes, so the slice below is of initialised memory; `into` has `len` bytes that only this
    // call uses.
    let into = unsafe {
        ptr::write_bytes(into.cast::<u8>(), 0, size(len));
        slice::from_raw_parts_mut(into.cast::<u8>(), size(len))
    };
    // SAFETY: the file is open.
    let read = unsafe { handle(file) }.read(offset(at), into);
    // What is not there is zeros, as SQLite demands.
    if read < into.len() { ffi::SQLITE_IOERR_SHORT_READ } else { ffi::SQLITE_OK }
}

unsafe extern "C" fn write(file: *mut ffi::sqlite3_file, from: *const c_void, len: c_int, at: i64) -> c_int {
    // SAFETY: `from` has `len` bytes that nobody changes during the call.
    let from = unsafe { slice::from_raw_parts(from.cast::<u8>(), size(len)) };
    // SAFETY: the file is open.
    unsafe { handle(file) }.write(offset(at), from);
    ffi::SQLITE_OK
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, len: i64) -> c_int {
    // SAFETY: the file is open.
    unsafe { handle(file) }.truncate(offset(len));
    ffi::SQLITE_OK
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: the file is open.
    unsafe { handle(file) }.sync();
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_size(file: *mut ffi::sqlite3_file, out: *mut i64) -> c_int {
    // SAFETY: the file is open, `out` is writable.
    unsafe { *out = i64::try_from(handle(file).len()).unwrap_or(i64::MAX) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn lock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    done_or_busy(unsafe { handle(file) }.lock(level_of(level)))
}

unsafe extern "C" fn unlock(file: *mut ffi::sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    unsafe { handle(file) }.unlock(level_of(level));
    ffi::SQLITE_OK
}

unsafe extern "C" fn check_reserved_lock(file: *mut ffi::sqlite3_file, out: *mut c_int) -> c_int {
    // SAFETY: the file is open, `out` is writable.
    unsafe { *out = c_int::from(handle(file).is_reserved()) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn file_control(_: *mut ffi::sqlite3_file, _: c_int, _: *mut c_void) -> c_int {
    ffi::SQLITE_NOTFOUND
}

/// As the system's own VFS says it: what SQLite pads, and how it journals, depends on it.
unsafe extern "C" fn sector_size(_: *mut ffi::sqlite3_file) -> c_int {
    4096
}

/// As the system's own VFS says it on an ordinary file system.
unsafe extern "C" fn device_characteristics(_: *mut ffi::sqlite3_file) -> c_int {
    ffi::SQLITE_IOCAP_POWERSAFE_OVERWRITE | ffi::SQLITE_IOCAP_SUBPAGE_READ
}

unsafe extern "C" fn shm_map(
    file: *mut ffi::sqlite3_file,
    region: c_int,
    len: c_int,
    make: c_int,
    out: *mut *mut c_void,
) -> c_int {
    // SAFETY: the file is open, `out` is writable. The memory stays until the file is unmapped, which SQLite does
    // before it closes it; several connections write to it at once as they would to a mapped file, through SQLite's
    // own locks and barriers, and no Rust code looks inside.
    unsafe { *out = handle(file).shm_map(size(region), size(len), make != 0).unwrap_or(ptr::null_mut()) };
    ffi::SQLITE_OK
}

unsafe extern "C" fn shm_lock(file: *mut ffi::sqlite3_file, first: c_int, count: c_int, how: c_int) -> c_int {
    // SAFETY: the file is open.
    let handle = unsafe { handle(file) };
    let slots = Range { start: size(first), end: size(first).saturating_add(size(count)) };
    if how & ffi::SQLITE_SHM_UNLOCK != 0 {
        handle.shm_unlock(slots);
        return ffi::SQLITE_OK;
    }
    let share = if how & ffi::SQLITE_SHM_SHARED != 0 { Share::Shared } else { Share::Exclusive };
    done_or_busy(handle.shm_lock(slots, share))
}

unsafe extern "C" fn shm_barrier(_: *mut ffi::sqlite3_file) {
    fence(Ordering::SeqCst);
}

unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, _: c_int) -> c_int {
    // SAFETY: the file is open.
    unsafe { handle(file) }.shm_unmap();
    ffi::SQLITE_OK
}

fn done_or_busy(done: bool) -> c_int {
    if done { ffi::SQLITE_OK } else { ffi::SQLITE_BUSY }
}

fn level_of(level: c_int) -> Level {
    match level {
        ffi::SQLITE_LOCK_NONE => Level::None,
        ffi::SQLITE_LOCK_SHARED => Level::Shared,
        ffi::SQLITE_LOCK_RESERVED => Level::Reserved,
        ffi::SQLITE_LOCK_PENDING => Level::Pending,
        _ => Level::Exclusive,
    }
}

/// SQLite's lengths and counts are never negative.
fn size(n: c_int) -> usize {
    usize::try_from(n).unwrap_or(0)
}

fn offset(n: i64) -> usize {
    usize::try_from(n).unwrap_or(0)
}
