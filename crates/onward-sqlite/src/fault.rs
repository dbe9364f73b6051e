//! What went wrong, sorted by what it means for the request at hand and for those beside it.

use std::io::ErrorKind;
use std::path::Path;

use onward_port::LogError;
use rusqlite::{Error as SqlError, ErrorCode};

use crate::place::Place;

/// Why a request was not done.
#[derive(Debug)]
pub(crate) enum Fault {
    /// This request cannot be done; those beside it are untouched.
    Refused(LogError),
    /// The store itself failed, and with it the whole transaction.
    Store(StoreFault),
}

/// A failure of the store. One of these may have to be told to several requests.
#[derive(Clone, Debug)]
pub(crate) struct StoreFault {
    kind: Kind,
    text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Full,
    ReadOnly,
    Corrupt,
    Busy,
    Io,
    /// Only the statement at hand is to blame: a value that is too large, a constraint.
    Statement,
}

/// Below this much free space a failed write is put down to the lack of space, whatever the error code says: SQLite
/// reports only a short *write* as "full", not a sync or a file that cannot be made longer.
const SCARCE_BYTES: u64 = 64 * 1024;

impl StoreFault {
    /// Whether the write lock was not to be had: nothing was tried.
    pub(crate) fn is_busy(&self) -> bool {
        self.kind == Kind::Busy
    }

    /// Whether what is stored is not what was written.
    pub(crate) fn is_corrupt(&self) -> bool {
        self.kind == Kind::Corrupt
    }

    /// What SQLite says.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether bytes of a failed commit may have reached the log all the same. A log that is full lacks at least the
    /// last of them, without which the rest counts for nothing.
    pub(crate) fn may_have_left_bytes(&self) -> bool {
        self.kind == Kind::Io
    }

    /// The error to report for an operation that did not happen.
    pub(crate) fn error(&self, place: &Place, what: &str) -> LogError {
        let path = place.database().display().to_string();
        if self.kind == Kind::Io
            && let Some(why) = refuses_writes(place.folder())
        {
            return LogError::ReadOnly { path, why };
        }
        match self.kind {
            Kind::Full => LogError::Full { what: what.into(), path },
            Kind::Io if is_scarce(place.folder()) => LogError::Full { what: what.into(), path },
            Kind::ReadOnly => LogError::ReadOnly { path, why: self.text.clone() },
            Kind::Corrupt => LogError::Corrupt(format!("{path}: {}", self.text)),
            Kind::Busy => LogError::Io(format!(
                "{path}: other processes have held the write lock for {} s; nothing was written. Try again",
                crate::connect::LOCK_PATIENCE.as_secs()
            )),
            Kind::Io | Kind::Statement => LogError::Io(format!("{path}: {what}: {}", self.text)),
        }
    }

    /// The error to report for an operation that may have happened.
    pub(crate) fn ambiguous(&self, place: &Place, then: &Self) -> LogError {
        LogError::Ambiguous(format!(
            "{}: {}; then, looking it up: {}. Append again with the same id",
            place.database().display(),
            self.text,
            then.text
        ))
    }
}

impl From<SqlError> for StoreFault {
    fn from(error: SqlError) -> Self {
        Self { kind: kind_of(&error), text: error.to_string() }
    }
}

impl From<SqlError> for Fault {
    fn from(error: SqlError) -> Self {
        let fault = StoreFault::from(error);
        if fault.kind == Kind::Statement {
            Self::Refused(LogError::Io(fault.text))
        } else {
            Self::Store(fault)
        }
    }
}

impl From<LogError> for Fault {
    fn from(error: LogError) -> Self {
        Self::Refused(error)
    }
}

/// The same error, for another request that the same failure took down.
pub(crate) fn told_again(error: &LogError) -> LogError {
    match error {
        LogError::Full { what, path } => LogError::Full { what: what.clone(), path: path.clone() },
        LogError::ReadOnly { path, why } => LogError::ReadOnly { path: path.clone(), why: why.clone() },
        LogError::Corrupt(text) => LogError::Corrupt(text.clone()),
        LogError::Cut(text) => LogError::Cut(text.clone()),
        LogError::Ambiguous(text) => LogError::Ambiguous(text.clone()),
        LogError::Io(text) => LogError::Io(text.clone()),
        other => LogError::Io(other.to_string()),
    }
}

/// The error to report for a failed operation on a file beside the database.
pub(crate) fn file_error(error: &std::io::Error, what: &str, path: &Path) -> LogError {
    let path_text = path.display().to_string();
    match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            LogError::Full { what: what.into(), path: path_text }
        }
        ErrorKind::ReadOnlyFilesystem | ErrorKind::PermissionDenied => {
            LogError::ReadOnly { path: path_text, why: error.to_string() }
        }
        _ => LogError::Io(format!("{path_text}: {what}: {error}")),
    }
}

/// Why the file system would refuse a write here, if it would. Asks without opening anything: closing a second
/// descriptor of a database file would drop SQLite's own locks on it.
pub(crate) fn refuses_writes(path: &Path) -> Option<String> {
    rustix::fs::access(path, rustix::fs::Access::WRITE_OK).err().and_then(|error| match error {
        rustix::io::Errno::ROFS => Some("the file system is read-only".into()),
        rustix::io::Errno::ACCESS | rustix::io::Errno::PERM => Some("permission denied".into()),
        _ => None,
    })
}

fn kind_of(error: &SqlError) -> Kind {
    match error {
        SqlError::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::DiskFull => Kind::Full,
            ErrorCode::ReadOnly | ErrorCode::PermissionDenied => Kind::ReadOnly,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Kind::Corrupt,
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Kind::Busy,
            ErrorCode::TooBig | ErrorCode::ConstraintViolation | ErrorCode::TypeMismatch => Kind::Statement,
            // A table that is not there: this is no store, or no longer one.
            ErrorCode::Unknown => Kind::Corrupt,
            _ => Kind::Io,
        },
        // A column that holds something else than was written there.
        SqlError::FromSqlConversionFailure(..)
        | SqlError::IntegralValueOutOfRange(..)
        | SqlError::InvalidColumnType(..)
        | SqlError::SqlInputError { .. }
        | SqlError::Utf8Error(..) => Kind::Corrupt,
        _ => Kind::Io,
    }
}

fn is_scarce(folder: &Path) -> bool {
    rustix::fs::statvfs(folder).is_ok_and(|fs| fs.f_bavail.saturating_mul(fs.f_frsize) < SCARCE_BYTES)
}
