//! Disks that say "it is on disk" when it is not. A harness that finds nothing wrong with them proves nothing.

/// Which syncs are answered without being done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lies {
    /// None.
    #[default]
    Never,
    /// All of them.
    Always,
    /// Those of the database file itself, on which a checkpoint relies.
    AboutDatabase,
    /// Those of the write-ahead log, on which a commit relies.
    AboutLog,
    /// Those of the folder, which keep the names of files.
    AboutNames,
}

impl Lies {
    /// Whether a sync of the file of this name does what it says.
    pub(crate) fn keeps_file(self, name: &str) -> bool {
        match self {
            Self::Never | Self::AboutNames => true,
            Self::Always => false,
            Self::AboutLog => !name.ends_with("-wal"),
            Self::AboutDatabase => name.ends_with("-wal") || name.ends_with("-journal"),
        }
    }

    /// Whether a sync of the folder does what it says.
    pub(crate) fn keeps_names(self) -> bool {
        !matches!(self, Self::Always | Self::AboutNames)
    }
}
