//! What the person has agreed to: one small file in the data folder, which nothing that a model runs can reach.

use std::collections::BTreeMap;
use std::fs;
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ProjectFiles;
use crate::error::{CliError, ErrorKind as Kind};

/// The file, in the data folder.
const FILE: &str = "trusted.json";

/// The folders whose configuration takes effect, each with the digest of what was agreed to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TrustRecord {
    folders: BTreeMap<String, String>,
}

impl TrustRecord {
    /// Reads the record; an empty one when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read or understood. Nothing is trusted then.
    pub(crate) fn read(data: &Path) -> Result<Self, CliError> {
        let path = data.join(FILE);
        let damaged = |why: &dyn std::fmt::Display| {
            CliError::new(Kind::Config, format!("{} cannot be used: {why}", path.display()))
                .with_hint("remove it, and trust folders again with `onward trust`")
        };
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| damaged(&error)),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                Ok(Self::default())
            }
            Err(error) => Err(damaged(&error)),
        }
    }

    /// Whether exactly these contents of this folder were agreed to.
    pub(crate) fn trusts(&self, folder: &str, files: &ProjectFiles) -> bool {
        self.folders.get(folder).is_some_and(|digest| *digest == files.digest())
    }

    /// Whether other contents of this folder were agreed to.
    pub(crate) fn knows(&self, folder: &str) -> bool {
        self.folders.contains_key(folder)
    }

    /// Agrees to these contents, and keeps that.
    ///
    /// # Errors
    /// When it cannot be kept; then it does not count.
    pub(crate) fn trust(mut self, data: &Path, folder: &str, files: &ProjectFiles) -> Result<(), CliError> {
        self.folders.insert(folder.to_owned(), files.digest());
        self.write(data)
    }

    /// Takes an agreement back. False when there was none.
    ///
    /// # Errors
    /// When that cannot be kept; then the agreement still counts.
    pub(crate) fn revoke(mut self, data: &Path, folder: &str) -> Result<bool, CliError> {
        let was = self.folders.remove(folder).is_some();
        if was {
            self.write(data)?;
        }
        Ok(was)
    }

    /// Writes beside, then renames: whoever reads sees the old record or the new one.
    fn write(&self, data: &Path) -> Result<(), CliError> {
        let failed = |path: PathBuf, error: std::io::Error| {
            CliError::new(
                Kind::Store,
                format!("{} cannot be written: {error}; nothing changed", path.display()),
            )
        };
        let (path, beside) = (data.join(FILE), data.join(format!("{FILE}.{}", std::process::id())));
        let text = serde_json::to_vec_pretty(self).unwrap_or_default();
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(data)?;
            let mut file =
                fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
            file.write_all(&text)?;
            file.sync_all()?;
            fs::rename(&beside, &path)
        };
        write().map_err(|error| failed(path, error))
    }
}
