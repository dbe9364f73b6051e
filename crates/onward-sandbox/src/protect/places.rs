//! Places for protected names that are not there.
//!
//! Commands that run at the same time share them: each holds the workspace's note (a file lock), and only who can have it
//! alone takes the places away. What a killed supervisor leaves is taken away by the next command.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, ErrorKind, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

/// The places of a workspace, held.
pub(crate) struct Places {
    note: File,
    /// Names whose mounts close all that is protected: of one that is not there, the part that was given a place.
    pub(super) closed: Vec<String>,
}

impl Places {
    /// Makes a place for each name that has none.
    pub(super) fn make(workspace: &Path, names: &[String], folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let mut hasher = DefaultHasher::new();
        workspace.hash(&mut hasher);
        let note = folder.join(format!("{:016x}", hasher.finish()));
        let mut note = File::options().create(true).read(true).append(true).open(note)?;
        note.lock_shared()?;
        // Before any is made: what is made for one name must not look as if it had been there for the next.
        let absent =
            names.iter().map(|name| first_absent(workspace, name)).collect::<io::Result<Vec<_>>>()?;
        let mut closed = Vec::with_capacity(names.len());
        for (name, absent) in names.iter().zip(absent) {
            let Some((part, path)) = absent else {
                closed.push(name.clone());
                continue;
            };
            if closed.contains(&part) {
                continue;
            }
            // Noted first: what is noted and not there harms nobody.
            let line = path.to_str().filter(|line| !line.contains('\n'));
            let line =
                line.ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "a path is not plain text"))?;
            note.write_all(format!("{line}\n").as_bytes())?;
            match fs::create_dir(&path) {
                Ok(()) => closed.push(part),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => closed.push(part),
                // Where the person may make nothing, the command cannot either.
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
                    ) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Self { note, closed })
    }

    /// Takes the places away, if no other command needs them.
    pub(crate) fn take_away(self) {
        // What fails here is tried again after the next command.
        let _ = self.try_take_away();
    }

    fn try_take_away(mut self) -> io::Result<()> {
        self.note.unlock()?;
        if self.note.try_lock().is_err() {
            return Ok(());
        }
        let mut lines = String::new();
        self.note.rewind()?;
        self.note.read_to_string(&mut lines)?;
        let mut lines: Vec<&str> = lines.lines().collect();
        // What is below another one goes first.
        lines.sort_by_key(|line| std::cmp::Reverse(line.len()));
        for line in lines {
            // Only what is an empty folder still: what somebody has put into it is theirs.
            let _ = fs::remove_dir(line);
        }
        self.note.set_len(0)
    }
}

/// The first part of a name that is not there; none when all of it is, or when it goes through something else than
/// folders, which is protected as it is.
fn first_absent(workspace: &Path, name: &str) -> io::Result<Option<(String, PathBuf)>> {
    let mut path = workspace.to_owned();
    for part in Path::new(name).components() {
        path.push(part);
        match path.symlink_metadata() {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Ok(None),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let part = path.strip_prefix(workspace).ok().and_then(Path::to_str).unwrap_or(name);
                return Ok(Some((part.to_owned(), path)));
            }
            Err(error) if error.kind() == ErrorKind::PermissionDenied => return Ok(None),
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_go_with_the_last_command_and_take_nothing_with_them() {
        let temp = tempfile::tempdir().unwrap();
        let (workspace, notes) = (temp.path().join("w"), temp.path().join("notes"));
        fs::create_dir_all(workspace.join(".git")).unwrap();
        fs::write(workspace.join(".git/config"), "x").unwrap();
        let names = [".git/hooks", ".git/config", ".vscode", ".a/b"].map(str::to_owned);
        let first = Places::make(&workspace, &names, &notes).unwrap();
        let second = Places::make(&workspace, &names, &notes).unwrap();
        for made in [".git/hooks", ".vscode", ".a"] {
            assert!(workspace.join(made).is_dir(), "{made}");
        }
        first.take_away();
        assert!(workspace.join(".vscode").is_dir(), "the second command needs it");
        fs::write(workspace.join(".a/mine"), "kept").unwrap();
        second.take_away();
        assert!(!workspace.join(".vscode").exists() && !workspace.join(".git/hooks").exists());
        assert!(workspace.join(".a/mine").exists() && workspace.join(".git/config").exists());
    }

    #[test]
    fn what_a_killed_command_leaves_goes_with_the_next() {
        let temp = tempfile::tempdir().unwrap();
        let (workspace, notes) = (temp.path().join("w"), temp.path().join("notes"));
        fs::create_dir(&workspace).unwrap();
        drop(Places::make(&workspace, &[".idea".to_owned()], &notes).unwrap());
        assert!(workspace.join(".idea").is_dir());
        Places::make(&workspace, &[], &notes).unwrap().take_away();
        assert!(!workspace.join(".idea").exists());
    }
}
