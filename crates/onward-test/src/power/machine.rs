//! A machine with one disk, which can be switched off and on.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result};
use onward_port::LogError;
use onward_sqlite::{OpenOptions, SqliteStore};
use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use super::disk::Disk;
use super::image::Image;
use super::vfs;

/// Which disk lies under which folder. SQLite knows files by path only.
static DISKS: Mutex<BTreeMap<String, Arc<Disk>>> = Mutex::new(BTreeMap::new());

/// The store's mark, which it writes beside its database and never syncs.
const MARK: &str = "onward.db-mark";

/// The machine. Its databases are on the disk; the store's mark is a file beside it; other files (locks, content in files)
/// are in a temporary folder of the real file system, and survive every loss of power.
pub struct Machine {
    folder: TempDir,
    path: String,
    disk: Arc<Disk>,
}

impl Machine {
    /// A machine with an empty disk, switched on.
    ///
    /// # Errors
    /// When there is no temporary folder to be had, or SQLite does not take the VFS.
    pub fn new() -> Result<Self> {
        vfs::register()?;
        let folder = tempfile::tempdir()?;
        let path = folder.path().canonicalize()?;
        let path = path.to_str().context("the temporary folder has no name in UTF-8")?.to_owned();
        let mut machine = Self { folder, path, disk: Arc::new(Disk::new(Image::default())) };
        machine.boot(Image::default())?;
        Ok(machine)
    }

    /// Switches it on with this on its disk. Whatever was open before must have been closed; what it wrote is gone.
    ///
    /// # Errors
    /// When the file beside the disk cannot be made as it was.
    pub fn boot(&mut self, image: Image) -> Result<()> {
        let mark = self.folder().join(MARK);
        match image.beside() {
            Some(bytes) => std::fs::write(&mark, bytes)?,
            None if mark.exists() => std::fs::remove_file(&mark)?,
            None => {}
        }
        self.disk = Arc::new(Disk::with_beside(image, mark));
        disks().insert(self.path.clone(), self.disk.clone());
        Ok(())
    }

    /// Its disk, until the next [`Machine::boot`].
    pub fn disk(&self) -> &Arc<Disk> {
        &self.disk
    }

    /// The folder of its store.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Opens its store, as the product does but for the disk.
    ///
    /// # Errors
    /// Those of [`SqliteStore::open`].
    pub fn open(&self) -> Result<SqliteStore, LogError> {
        self.show_lengths()
            .map_err(|error| LogError::Io(format!("showing the files of the disk: {error}")))?;
        let vfs = Some(vfs::NAME.to_owned());
        SqliteStore::open(OpenOptions { vfs, ..OpenOptions::new(self.folder()) })
    }

    /// Another program's connection to a database on the disk.
    ///
    /// # Errors
    /// SQLite's.
    pub fn connect(&self, name: &str) -> rusqlite::Result<Connection> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        Connection::open_with_flags_and_vfs(format!("{}/{name}", self.path), flags, vfs::NAME)
    }

    /// The store asks the file system for the lengths of its database and log before SQLite opens them. So that it
    /// sees the truth, the folder gets files without content that are as long as those on the disk.
    fn show_lengths(&self) -> std::io::Result<()> {
        for entry in std::fs::read_dir(self.folder())? {
            let entry = entry?;
            if entry.file_type()?.is_file() && entry.file_name() != MARK {
                std::fs::remove_file(entry.path())?;
            }
        }
        for (name, len) in self.disk.listing() {
            std::fs::File::create(self.folder().join(&*name))?.set_len(len.try_into().unwrap_or(u64::MAX))?;
        }
        Ok(())
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        disks().remove(&self.path);
    }
}

/// The disk under a folder.
pub(crate) fn disk_under(folder: &str) -> Option<Arc<Disk>> {
    disks().get(folder).cloned()
}

fn disks() -> MutexGuard<'static, BTreeMap<String, Arc<Disk>>> {
    DISKS.lock().unwrap_or_else(PoisonError::into_inner)
}
