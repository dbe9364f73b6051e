//! Where the parts of a store are: paths within its folder.

use std::fs::FileType;
use std::path::{Path, PathBuf};

use onward_event::Digest;
use onward_port::LogError;

/// The folder of a store.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    folder: PathBuf,
    vfs: Option<String>,
}

impl Place {
    /// `folder` is absolute, so that a later change of the current directory means nothing.
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder, vfs: None }
    }

    /// The same place, whose database SQLite reaches through the VFS of this name.
    pub(crate) fn through(self, vfs: Option<String>) -> Self {
        Self { vfs, ..self }
    }

    /// Through what SQLite reaches the database, if not as usual.
    pub(crate) fn vfs(&self) -> Option<&str> {
        self.vfs.as_deref()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("onward.db")
    }

    pub(crate) fn wal(&self) -> PathBuf {
        self.folder.join("onward.db-wal")
    }

    /// What was left of a log that had lost records, for whoever can make more of it.
    pub(crate) fn cut_wal(&self) -> PathBuf {
        self.folder.join("onward.db-wal.cut")
    }

    /// The witness beside the database; see `mark`.
    pub(crate) fn mark(&self) -> PathBuf {
        self.folder.join("onward.db-mark")
    }

    /// Where records are kept that were taken out of their log.
    pub(crate) fn set_aside(&self) -> PathBuf {
        self.folder.join("set-aside")
    }

    pub(crate) fn locks(&self) -> PathBuf {
        self.folder.join("locks")
    }

    pub(crate) fn blobs(&self) -> PathBuf {
        self.folder.join("blobs")
    }

    /// Where files are written before they get their name. On the same file system as their name, and apart from
    /// the finished ones, so that what a killed process left is found without looking through those.
    pub(crate) fn unfinished_blobs(&self) -> PathBuf {
        self.blobs().join("tmp")
    }

    /// That nothing else stands where files and folders of the store belong: a link would lead out of the folder, to what
    /// another store has or nobody knows, and so is not followed.
    ///
    /// # Errors
    /// [`LogError::Corrupt`], which names the first that is something else.
    pub(crate) fn refuse_strangers(&self) -> Result<(), LogError> {
        let files = [self.database(), self.mark(), self.wal(), self.folder.join("onward.db-shm")];
        let folders = [self.locks(), self.blobs(), self.unfinished_blobs(), self.set_aside()];
        files.iter().try_for_each(|path| refuse_stranger(path, "a file", FileType::is_file))?;
        folders.iter().try_for_each(|path| refuse_stranger(path, "a folder", FileType::is_dir))
    }

    /// The file of large content: 256 folders keep each of them small.
    pub(crate) fn blob(&self, hash: &Digest) -> PathBuf {
        let name = hash.to_string();
        let shelf = name.get(..2).unwrap_or_default();
        self.blobs().join(shelf).join(&name)
    }
}

fn refuse_stranger(path: &Path, what: &str, is_right: fn(&FileType) -> bool) -> Result<(), LogError> {
    // What cannot be looked at is not there, or is told by whoever opens it.
    let Ok(found) = std::fs::symlink_metadata(path) else { return Ok(()) };
    if is_right(&found.file_type()) {
        return Ok(());
    }
    let is = match found.file_type() {
        kind if kind.is_symlink() => "a symbolic link",
        kind if kind.is_dir() => "a folder",
        kind if kind.is_file() => "a file",
        _ => "neither file nor folder",
    };
    Err(LogError::Corrupt(format!(
        "{} is {is}, where {what} of the store belongs; it was not followed, and nothing was changed. Find out who put it \
         there, and move it away",
        path.display()
    )))
}
