//! The ledger: what really happened in the world, kept outside of everything that a crash takes away.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// An append-only file with one line for each effect.
#[derive(Clone, Debug)]
pub struct Ledger {
    path: PathBuf,
}

impl Ledger {
    /// The ledger in this file, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// Its file: for commands that write to it themselves.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a line down.
    ///
    /// # Errors
    /// As the file system says.
    pub fn write(&self, line: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().create(true).append(true).open(&self.path)?;
        file.write_all(format!("{line}\n").as_bytes())
    }

    /// Everything that happened, in its order.
    ///
    /// # Errors
    /// As the file system says; a ledger without any effect is empty.
    pub fn lines(&self) -> io::Result<Vec<String>> {
        match std::fs::read_to_string(&self.path) {
            Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// How often exactly this happened.
    ///
    /// # Errors
    /// As [`Ledger::lines`].
    pub fn count(&self, line: &str) -> io::Result<usize> {
        Ok(self.lines()?.iter().filter(|other| *other == line).count())
    }
}
