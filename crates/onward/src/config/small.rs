//! Reading the files that somebody else may have put there: small, text, and really a file.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;

use super::problem;
use crate::error::CliError;

/// Nobody writes this much configuration; a file that is longer is something else.
const LONGEST_FILE: u64 = 1 << 20;

/// The text of a file; none when there is no such file.
///
/// # Errors
/// When it is there and is no regular file, or no text, or too long. A pipe is not waited for.
pub(crate) fn read_small(path: &Path) -> Result<Option<String>, CliError> {
    let unreadable = |why: &dyn std::fmt::Display| problem::unreadable(path, &why.to_string());
    let at_once = OFlags::NONBLOCK.bits().cast_signed();
    let file = match OpenOptions::new().read(true).custom_flags(at_once).open(path) {
        Ok(file) => file,
        // A component of the path that is no folder means the same: the file is not there.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(&error)),
    };
    if !file.metadata().map_err(|error| unreadable(&error))?.is_file() {
        return Err(unreadable(&"it is no regular file"));
    }
    let mut bytes = Vec::new();
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(unreadable(&"it is larger than 1 MiB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| unreadable(&"it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    #[test]
    fn a_pipe_is_refused_and_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("config.toml");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        assert!(read_small(&path).unwrap_err().message.contains("no regular file"));
        assert!(read_small(&dir.path().join("none")).unwrap().is_none());
        assert!(read_small(dir.path()).is_err());
    }
}
