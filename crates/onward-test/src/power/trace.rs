//! What programs did to a disk, in order.

use std::sync::Arc;

/// Names a file of one disk from its making to the end of the power, whatever becomes of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(pub(crate) usize);

/// One operation. Only syncs put anything on disk for certain.
#[derive(Clone, Debug)]
pub enum Op {
    /// An empty file, with a name that was free. Files are numbered as they are made.
    Create {
        /// Its name.
        name: Arc<str>,
    },
    /// A name is gone. The file lives on while it is open.
    Remove {
        /// Which.
        name: Arc<str>,
    },
    /// Bytes at a place, beyond the end too.
    Write {
        /// Of which file.
        file: FileId,
        /// From which byte on.
        at: usize,
        /// What.
        bytes: Arc<[u8]>,
    },
    /// The file has this length now.
    Truncate {
        /// Which.
        file: FileId,
        /// In bytes.
        len: usize,
    },
    /// A file's bytes and length are on disk, unless the disk lied.
    Sync {
        /// Which.
        file: FileId,
        /// Whether it is true.
        kept: bool,
    },
    /// A file beside the disk, which nobody syncs, holds this now.
    Beside {
        /// All of it.
        bytes: Arc<[u8]>,
    },
    /// All names are on disk, unless the disk lied.
    SyncNames {
        /// Whether it is true.
        kept: bool,
    },
}

impl Op {
    /// Whether this is a sync: the moments before and after it are those at which the power fails worst.
    pub fn is_sync(&self) -> bool {
        matches!(self, Self::Sync { .. } | Self::SyncNames { .. })
    }
}

impl std::fmt::Display for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Create { name } => write!(f, "create {name}"),
            Self::Remove { name } => write!(f, "remove {name}"),
            Self::Write { file, at, bytes } => {
                write!(f, "write {} bytes at {at} of file {}", bytes.len(), file.0)
            }
            Self::Truncate { file, len } => write!(f, "cut file {} to {len} bytes", file.0),
            Self::Sync { file, kept } => write!(f, "sync file {}{}", file.0, lie(*kept)),
            Self::Beside { .. } => f.write_str("write the file beside it"),
            Self::SyncNames { kept } => write!(f, "sync the folder{}", lie(*kept)),
        }
    }
}

fn lie(kept: bool) -> &'static str {
    if kept { "" } else { " (a lie)" }
}
