//! What went wrong with a file, in words that say what would work.

use std::io;
use std::path::{Path, PathBuf};

use cap_std::fs::{FileType, FileTypeExt};
use onward_port::ToolFault;

use super::{Files, Found, Place};

/// Names of a folder that are compared with one that does not exist.
const MAX_NEIGHBOURS: usize = 2_000;
/// Similar names that are suggested.
const MAX_SUGGESTIONS: usize = 3;

impl Files {
    /// The fault for what the operating system said about a place.
    pub(crate) fn fault(&self, place: &Place, error: &io::Error) -> ToolFault {
        let shown = &place.shown;
        if is_escape(error) {
            return self.link_outside(shown);
        }
        match error.kind() {
            io::ErrorKind::NotFound => self.not_found(place),
            io::ErrorKind::NotADirectory => ToolFault::new(
                "not_a_directory",
                format!("`{shown}` leads through a file: one of its parents is no folder"),
            ),
            _ => other(shown, error),
        }
    }

    fn link_outside(&self, shown: &str) -> ToolFault {
        let root = self.paths().root();
        ToolFault::new(
            "outside_workspace",
            format!(
                "`{shown}` leads outside the workspace `{root}` through a symbolic link; file tools stay inside"
            ),
        )
    }

    fn not_found(&self, place: &Place) -> ToolFault {
        let shown = &place.shown;
        let Ok(relative) = place.relative().map(Path::to_path_buf) else {
            return ToolFault::new("not_found", format!("`{shown}` does not exist"));
        };
        if let Some((link, target)) = self.dangling(&relative) {
            let (link, target) = (self.paths().shown(&link), target.to_string_lossy());
            let message = format!("`{link}` is a symbolic link to `{target}`, which does not exist");
            return ToolFault::new("not_found", message);
        }
        let missing = self.first_missing(&relative);
        let hint = match self.similar(&missing).as_slice() {
            [] => "use `list` or `glob` to see what there is".into(),
            names => format!("similar names: {}", names.join(", ")),
        };
        let folder = self.paths().shown(&missing);
        let message = if folder == *shown {
            format!("`{shown}` does not exist; {hint}")
        } else {
            format!("`{shown}` does not exist: there is no folder `{folder}`; {hint}")
        };
        ToolFault::new("not_found", message)
    }

    /// The first symbolic link on the way that leads to nothing, and where it points.
    fn dangling(&self, relative: &Path) -> Option<(PathBuf, PathBuf)> {
        let mut path = PathBuf::new();
        for component in relative {
            path.push(component);
            if self.root().symlink_metadata(&path).ok()?.is_symlink() && self.real(&path).is_err() {
                let target = self.root().read_link_contents(&path).ok()?;
                return Some((path, target));
            }
        }
        None
    }

    fn first_missing(&self, relative: &Path) -> PathBuf {
        let mut path = PathBuf::new();
        for component in relative {
            path.push(component);
            if self.root().symlink_metadata(&path).is_err() {
                break;
            }
        }
        path
    }

    fn similar(&self, missing: &Path) -> Vec<String> {
        const ALIKE: f32 = 0.6;
        let parent =
            missing.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (Some(name), Ok(entries)) = (missing.file_name(), self.root().read_dir(parent)) else {
            return Vec::new();
        };
        let names = entries.flatten().take(MAX_NEIGHBOURS).map(|entry| entry.file_name());
        let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let close = similar::get_close_matches(&*name.to_string_lossy(), &names, MAX_SUGGESTIONS, ALIKE);
        close.into_iter().map(|name| format!("`{}`", self.paths().shown(&parent.join(name)))).collect()
    }
}

/// The fault for something that exists and is no regular file.
pub(crate) fn not_regular(shown: &str, file_type: FileType) -> ToolFault {
    if file_type.is_dir() {
        let message = format!("`{shown}` is a folder; use `list` to see what is in it");
        return ToolFault::new("is_a_directory", message);
    }
    let kind = kind_of(file_type);
    ToolFault::new("not_a_regular_file", format!("`{shown}` is {kind}; file tools open regular files only"))
}

/// For a tool that opens files.
///
/// # Errors
/// `is_a_directory`, `not_a_regular_file`.
pub(crate) fn regular_only(shown: &str, found: &Found) -> Result<(), ToolFault> {
    if found.meta.is_file() { Ok(()) } else { Err(not_regular(shown, found.meta.file_type())) }
}

/// What a directory entry is, with its article.
pub(crate) fn kind_of(file_type: FileType) -> &'static str {
    match file_type {
        t if t.is_file() => "a file",
        t if t.is_dir() => "a folder",
        t if t.is_symlink() => "a symbolic link",
        t if t.is_fifo() => "a named pipe",
        t if t.is_socket() => "a socket",
        t if t.is_block_device() || t.is_char_device() => "a device",
        _ => "of an unknown kind",
    }
}

/// Whether a path led outside of the root: the one error of the sandboxed calls that no system call returned.
pub(crate) fn is_escape(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

fn other(shown: &str, error: &io::Error) -> ToolFault {
    use io::ErrorKind as Kind;
    let code = match error.kind() {
        Kind::PermissionDenied => "permission_denied",
        Kind::StorageFull | Kind::QuotaExceeded => "no_space",
        Kind::ReadOnlyFilesystem => "read_only",
        Kind::IsADirectory => "is_a_directory",
        _ => "io",
    };
    ToolFault::new(code, format!("`{shown}` cannot be used: {error}"))
}
