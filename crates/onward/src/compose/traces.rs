//! A data folder whose database is gone: what is still there says that there was one.

use std::path::Path;

use crate::error::{CliError, ErrorKind};
use crate::render::counted;

/// What a store leaves beside its database, and what each of them is.
const TRACES: [(&str, &str); 4] = [
    ("onward.db-mark", "the count of what was on disk"),
    ("onward.db-wal", "the write-ahead log"),
    ("blobs", "stored content"),
    ("executions", "commands and their output"),
];

/// What is made without a store, too: by `onward sandbox`.
const NOT_BY_ITSELF: &str = "executions";

/// The database is missing where something of it is left; none where there never was one.
pub(crate) fn missing_database(folder: &Path) -> Option<CliError> {
    let database = folder.join("onward.db");
    if database.exists() {
        return None;
    }
    let found: Vec<String> = TRACES.iter().filter_map(|(name, what)| trace(folder, name, what)).collect();
    if found.is_empty() {
        return None;
    }
    let message = format!(
        "the database {} is missing, and with it every session; what is left of it: {}. Nothing was changed",
        database.display(),
        found.join(", ")
    );
    let hint = "put onward.db back from a copy, together with the rest of the folder. Only if the sessions are to be \
                forgotten, remove what is left: a new store begins with the next session";
    Some(CliError::new(ErrorKind::Store, message).with_hint(hint))
}

/// One of them, if it is there and says something.
fn trace(folder: &Path, name: &str, what: &str) -> Option<String> {
    let path = folder.join(name);
    if !path.is_dir() {
        return path.exists().then(|| format!("{name} ({what})"));
    }
    let files = files_below(&path);
    (files > 0 || name != NOT_BY_ITSELF).then(|| format!("{name} ({what}: {})", counted(files, "file")))
}

/// How many files a folder holds, however deep.
fn files_below(folder: &Path) -> u64 {
    let (mut folders, mut files) = (vec![folder.to_path_buf()], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => files += 1,
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_left_of_a_store_is_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        std::fs::create_dir_all(path.join("executions")).unwrap();
        std::fs::write(path.join("trust.json"), "{}").unwrap();
        assert_eq!(missing_database(path), None);
        std::fs::create_dir_all(path.join("blobs")).unwrap();
        let error = missing_database(path).unwrap();
        assert!(error.message.contains("what is left of it: blobs (stored content: 0 files). "), "{error}");
        std::fs::create_dir_all(path.join("blobs/3f")).unwrap();
        std::fs::write(path.join("blobs/3f/3f00"), "x").unwrap();
        std::fs::write(path.join("onward.db-mark"), "x").unwrap();
        let error = missing_database(path).unwrap();
        assert!(
            error
                .message
                .contains("onward.db-mark (the count of what was on disk), blobs (stored content: 1 file)"),
            "{error}"
        );
        std::fs::write(path.join("onward.db"), "x").unwrap();
        assert_eq!(missing_database(path), None);
    }
}
