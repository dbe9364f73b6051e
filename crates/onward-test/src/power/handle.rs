//! A file that one connection has open: everything that the VFS does, in safe code.

use std::ffi::c_void;
use std::ops::Range;
use std::sync::Arc;

use super::disk::Disk;
use super::locks::Level;
use super::shm::{Share, ShmHold};
use super::trace::FileId;

/// The file.
#[derive(Debug)]
pub(crate) struct Handle {
    disk: Arc<Disk>,
    file: FileId,
    /// Its next sync puts its name on disk as well.
    names_due: bool,
    level: Level,
    hold: ShmHold,
}

impl Handle {
    /// A handle of an open file. `names_due`: it is a log or a journal, whose name the system's own VFS puts on disk
    /// with the first sync.
    pub(crate) fn new(disk: Arc<Disk>, file: FileId, names_due: bool) -> Self {
        Self { disk, file, names_due, level: Level::None, hold: ShmHold::default() }
    }

    /// Reads into `into`; how many bytes there were.
    pub(crate) fn read(&self, at: usize, into: &mut [u8]) -> usize {
        let mut copy = |bytes: &[u8]| {
            let there = bytes.get(at..).unwrap_or_default();
            let n = there.len().min(into.len());
            if let (Some(to), Some(from)) = (into.get_mut(..n), there.get(..n)) {
                to.copy_from_slice(from);
            }
            n
        };
        self.disk.with(self.file, |live| copy(&live.bytes)).unwrap_or(0)
    }

    pub(crate) fn write(&self, at: usize, bytes: &[u8]) {
        self.disk.write(self.file, at, bytes);
    }

    pub(crate) fn truncate(&self, len: usize) {
        self.disk.truncate(self.file, len);
    }

    pub(crate) fn sync(&mut self) {
        self.disk.sync(self.file);
        if std::mem::take(&mut self.names_due) {
            self.disk.sync_names();
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.disk.with(self.file, |live| live.bytes.len()).unwrap_or(0)
    }

    /// Raises the lock; whether it could.
    pub(crate) fn lock(&mut self, wanted: Level) -> bool {
        let level = &mut self.level;
        self.disk.with(self.file, |live| live.locks.raise(level, wanted)).unwrap_or(false)
    }

    pub(crate) fn unlock(&mut self, to: Level) {
        let level = &mut self.level;
        self.disk.with(self.file, |live| live.locks.lower(level, to));
    }

    pub(crate) fn is_reserved(&self) -> bool {
        self.disk.with(self.file, |live| live.locks.is_reserved()).unwrap_or(false)
    }

    /// The address of a region of shared memory; see [`super::shm::Shm::map`].
    pub(crate) fn shm_map(&mut self, region: usize, bytes: usize, make: bool) -> Option<*mut c_void> {
        let hold = &mut self.hold;
        self.disk.with(self.file, |live| live.shm.map(hold, region, bytes, make)).flatten()
    }

    pub(crate) fn shm_lock(&mut self, slots: Range<usize>, share: Share) -> bool {
        let hold = &mut self.hold;
        self.disk.with(self.file, |live| live.shm.lock(hold, slots, share)).unwrap_or(false)
    }

    pub(crate) fn shm_unlock(&mut self, slots: Range<usize>) {
        let hold = &mut self.hold;
        self.disk.with(self.file, |live| live.shm.unlock(hold, slots));
    }

    pub(crate) fn shm_unmap(&mut self) {
        let hold = &mut self.hold;
        self.disk.with(self.file, |live| live.shm.unmap(hold));
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shm_unmap();
        self.unlock(Level::None);
    }
}
