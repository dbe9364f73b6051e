//! Adds a grant to the person's own file, which stays whole whatever happens meanwhile.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind as Io, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use onward_policy::with_grant;

use crate::error::{CliError, ErrorKind};

/// What became of a grant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Saved {
    /// It was added.
    Added,
    /// It was there already.
    There,
}

/// Adds a proposed grant to the file, and makes the file if there is none. What stands in it stays as it is, to the last
/// comment. Two processes that save at once save both.
///
/// # Errors
/// When the file as it is, or the grant, is wrong, or it cannot be written; then it is as it was.
pub(crate) fn save_grant(path: &Path, grant: &str) -> Result<Saved, CliError> {
    let failed = |why: &dyn std::fmt::Display| {
        CliError::new(
            ErrorKind::Config,
            format!("{} cannot be added to: {why}; nothing was saved", path.display()),
        )
    };
    // A file that is kept elsewhere and linked here stays there.
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let _held = lock(&real).map_err(|error| failed(&error))?;
    let text = match fs::read_to_string(&real) {
        Ok(text) => text,
        Err(error) if error.kind() == Io::NotFound => String::new(),
        Err(error) => return Err(failed(&error)),
    };
    let added = with_grant(&text, &path.display().to_string(), grant).map_err(|errors| {
        let message = format!("the grant cannot be saved, so nothing was:\n{errors}");
        CliError::new(ErrorKind::Config, message).with_hint("`onward policy check` looks at your rules")
    })?;
    if added == text {
        return Ok(Saved::There);
    }
    replace(&real, &added).map_err(|error| failed(&error))?;
    Ok(Saved::Added)
}

/// Makes the folder, and holds it against other processes that save. The lock ends with what is returned, and leaves
/// nothing behind.
fn lock(path: &Path) -> std::io::Result<Option<File>> {
    let Some(folder) = path.parent() else { return Ok(None) };
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let held = File::open(folder)?;
    match held.lock() {
        Ok(()) => Ok(Some(held)),
        // Some file systems have no locks; there, two that save in the same moment keep the later one.
        Err(error) if error.kind() == Io::Unsupported => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes beside, then renames: whoever reads sees the old text or the new one.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = beside(path);
    let written = write(&beside, path, text);
    if written.is_err() {
        // What failed first is what is told.
        let _ = fs::remove_file(&beside);
    }
    written
}

fn write(beside: &Path, path: &Path, text: &str) -> std::io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(beside)?;
    file.write_all(text.as_bytes())?;
    if let Ok(meta) = fs::metadata(path) {
        file.set_permissions(meta.permissions())?;
    }
    file.sync_all()?;
    fs::rename(beside, path)?;
    match path.parent() {
        Some(folder) => File::open(folder)?.sync_all(),
        None => Ok(()),
    }
}

fn beside(path: &Path) -> PathBuf {
    path.with_extension(format!("toml.{}", std::process::id()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn grant(words: &str) -> String {
        format!(
            "[[grant]]\nanswers = [\"shell-ask\"]\ntool = \"shell\"\nargv = [\"make\", \"{words}\"]\nsandbox = \
             \"workspace-write\"\n"
        )
    }

    #[test]
    fn a_grant_is_added_once_and_everything_else_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("onward/policy.toml");
        assert_eq!(save_grant(&path, &grant("a")).unwrap(), Saved::Added);
        let mine = "# mine\n[[rule]]\nid = \"a\"\neffect = \"deny\"\nargv = [\"rm\", \"...\"]";
        fs::write(&path, mine).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert_eq!(save_grant(&path, &grant("b")).unwrap(), Saved::Added);
        let saved = fs::read_to_string(&path).unwrap();
        assert_eq!(saved, format!("{mine}\n\n{}", grant("b")));
        assert_eq!(save_grant(&path, &grant("b")).unwrap(), Saved::There);
        assert_eq!(fs::read_to_string(&path).unwrap(), saved);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn a_file_that_is_linked_stays_where_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.toml"), dir.path().join("policy.toml"));
        fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        save_grant(&link, &grant("a")).unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), grant("a"));
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_wrong_file_is_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("policy.toml");
        fs::write(&path, "[[rule]]\nid = 1\n").unwrap();
        let error = save_grant(&path, &grant("a")).unwrap_err();
        assert!(error.message.contains("policy.toml:2:6"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "[[rule]]\nid = 1\n");
    }

    #[test]
    fn those_who_save_at_once_save_all() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("policy.toml");
        std::thread::scope(|scope| {
            for n in 0..8 {
                let path = &path;
                scope.spawn(move || save_grant(path, &grant(&n.to_string())).unwrap());
            }
        });
        assert_eq!(fs::read_to_string(&path).unwrap().matches("[[grant]]").count(), 8);
    }
}
