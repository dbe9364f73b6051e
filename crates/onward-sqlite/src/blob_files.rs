//! Large content, each in a file named by its digest.
//!
//! A file gets its name only when all of it is on disk, and a record names it only after that. What a killed process
//! leaves unfinished is unlocked, and is removed when the store is next opened.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use bytes::Bytes;
use onward_event::Digest;
use onward_port::{Blob, LogError};

use crate::fault::file_error;
use crate::lockfile::LockedFile;
use crate::place::Place;

/// Stores the content; returns when it is on disk.
pub(crate) fn write(place: &Place, blob: &Blob) -> Result<(), LogError> {
    let path = place.blob(&blob.hash);
    let failed =
        |error: std::io::Error| file_error(&error, &format!("{} bytes of content", blob.bytes.len()), &path);
    let shelf = path.parent().unwrap_or(place.folder());
    if !is_whole(&path, blob) {
        make_folder(shelf).map_err(failed)?;
        write_new(place, &path, &blob.bytes).map_err(failed)?;
    }
    // Every name that leads to it. Also when it was there: whoever wrote it may not have come so far.
    let blobs = place.blobs();
    [shelf, &blobs, place.folder()].into_iter().try_for_each(sync_folder).map_err(failed)
}

/// The content, verified.
pub(crate) fn read(place: &Place, hash: &Digest) -> Result<Bytes, LogError> {
    let path = place.blob(hash);
    let bytes = std::fs::read(&path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            LogError::Corrupt(format!("the content file {} is lost", path.display()))
        }
        _ => file_error(&error, "reading content", &path),
    })?;
    if onward_port::digest(&bytes) != *hash {
        return Err(LogError::Corrupt(format!("{} is not what its digest says", path.display())));
    }
    Ok(bytes.into())
}

/// Makes the folder, for its user only.
pub(crate) fn make_folder(path: &Path) -> std::io::Result<()> {
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Files appear under their name in one step, so one that is there is whole unless it was damaged since. Damage that
/// changes the length is mended by writing the same content again; any other is found when it is read.
fn is_whole(path: &Path, blob: &Blob) -> bool {
    std::fs::metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() == blob.bytes.len() as u64)
}

fn write_new(place: &Place, path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut unfinished = LockedFile::create(&place.unfinished_blobs())?;
    unfinished.file().write_all(bytes)?;
    unfinished.file().sync_all()?;
    unfinished.rename(path)
}

/// Puts the names in a folder on disk.
pub(crate) fn sync_folder(path: &Path) -> std::io::Result<()> {
    File::open(path)?.sync_all()
}
