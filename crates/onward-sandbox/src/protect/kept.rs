//! What a protected name was before a command, and putting it back.
//!
//! The command is gone when it is put back, but it has had the workspace: no symbolic link that it left is followed.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

/// Bytes of all files below one name that are remembered.
const MAX_BYTES: u64 = 8 << 20;
/// Files and folders below one name that are remembered.
const MAX_ENTRIES: usize = 4_096;

/// A protected name, and what it was.
pub(super) struct Kept {
    workspace: PathBuf,
    name: String,
    was: State,
    /// A folder around it that is a mount, which the command cannot replace; empty where there is none.
    pinned: PathBuf,
}

#[derive(Debug, PartialEq, Eq)]
enum State {
    Absent,
    File {
        bytes: Vec<u8>,
        mode: u32,
    },
    Link(PathBuf),
    Folder {
        entries: BTreeMap<OsString, State>,
        mode: u32,
    },
    /// A socket, a device or a pipe: what is in it is nobody's to remember.
    Other,
}

/// How much may still be remembered.
struct Room {
    bytes: u64,
    entries: usize,
}

impl Kept {
    /// Remembers what is there.
    ///
    /// # Errors
    /// When it cannot be read, or is too much.
    pub(super) fn remember(workspace: &Path, name: &str) -> io::Result<Self> {
        let was = look(workspace, name)?;
        Ok(Self { workspace: workspace.to_owned(), name: name.to_owned(), was, pinned: PathBuf::new() })
    }

    /// The same, where the command cannot replace this folder around it: who has done so is the person, and it stays.
    pub(super) fn in_pinned(self, folder: &Path) -> Self {
        Self { pinned: folder.to_owned(), ..self }
    }

    /// Puts it back, if it is not what it was. Returns what was done, for people.
    pub(super) fn put_back(&self) -> Option<String> {
        match look(&self.workspace, &self.name) {
            Ok(now) if now == self.was => return None,
            _ if self.person_replaced_what_is_around() => return None,
            // What cannot be read any more was changed.
            _ => {}
        }
        let name = &self.name;
        Some(match self.restore() {
            Ok(()) => format!("`{name}` is protected: what the command changed there was undone"),
            Err(error) => {
                format!("`{name}` is protected and was changed, and could not be put back: {error}")
            }
        })
    }

    fn person_replaced_what_is_around(&self) -> bool {
        let mut path = self.workspace.clone();
        self.pinned.components().any(|part| {
            path.push(part);
            !path.symlink_metadata().is_ok_and(|meta| meta.is_dir())
        })
    }

    fn restore(&self) -> io::Result<()> {
        let (mut path, parts) = (self.workspace.clone(), Path::new(&self.name).components());
        let mut parts = parts.peekable();
        while let Some(part) = parts.next() {
            path.push(part);
            if parts.peek().is_none() {
                break;
            }
            // A folder above it: one that is none any more is replaced by one, unless there is nothing to put into it.
            let is_folder = path.symlink_metadata().is_ok_and(|meta| meta.is_dir());
            if !is_folder {
                remove(&path)?;
                if self.was == State::Absent {
                    return Ok(());
                }
                fs::create_dir(&path)?;
            }
        }
        write(&path, &self.was)
    }
}

/// What a name is now; one behind a symbolic link is that link.
fn look(workspace: &Path, name: &str) -> io::Result<State> {
    let mut path = workspace.to_owned();
    let mut parts = Path::new(name).components().peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        if parts.peek().is_some() {
            match path.symlink_metadata() {
                Ok(meta) if meta.is_dir() => {}
                Ok(meta) if meta.is_symlink() => return fs::read_link(&path).map(State::Link),
                _ => return Ok(State::Absent),
            }
        }
    }
    read(&path, &mut Room { bytes: MAX_BYTES, entries: MAX_ENTRIES })
}

fn read(path: &Path, room: &mut Room) -> io::Result<State> {
    let meta = match path.symlink_metadata() {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(State::Absent);
        }
        Err(error) => return Err(error),
    };
    let too_much = || io::Error::new(ErrorKind::FileTooLarge, "there is too much in it to be put back");
    room.entries = room.entries.checked_sub(1).ok_or_else(too_much)?;
    let mode = meta.permissions().mode() & 0o7777;
    if meta.is_symlink() {
        return fs::read_link(path).map(State::Link);
    }
    if meta.is_file() {
        room.bytes = room.bytes.checked_sub(meta.len()).ok_or_else(too_much)?;
        return Ok(State::File { bytes: fs::read(path)?, mode });
    }
    if !meta.is_dir() {
        return Ok(State::Other);
    }
    let mut entries = BTreeMap::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        entries.insert(entry.file_name(), read(&entry.path(), room)?);
    }
    Ok(State::Folder { entries, mode })
}

fn write(path: &Path, state: &State) -> io::Result<()> {
    match state {
        State::Absent => remove(path),
        State::Other => Ok(()),
        State::Link(target) => {
            remove(path)?;
            symlink(target, path)
        }
        State::File { bytes, mode } => {
            remove(path)?;
            fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?.write_all(bytes)?;
            fs::set_permissions(path, fs::Permissions::from_mode(*mode))
        }
        State::Folder { entries, mode } => {
            if !path.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
                remove(path)?;
                fs::create_dir(path)?;
            }
            // It may have been closed.
            fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
            for entry in fs::read_dir(path)?.flatten() {
                if !entries.contains_key(&entry.file_name()) {
                    remove(&entry.path())?;
                }
            }
            for (name, state) in entries {
                let below = path.join(name);
                let mut room = Room { bytes: MAX_BYTES, entries: MAX_ENTRIES };
                if read(&below, &mut room).ok().as_ref() != Some(state) {
                    write(&below, state)?;
                }
            }
            fs::set_permissions(path, fs::Permissions::from_mode(*mode))
        }
    }
}

fn remove(path: &Path) -> io::Result<()> {
    match path.symlink_metadata() {
        Ok(meta) if meta.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(
        name: &str,
        prepare: impl Fn(&Path),
        change: impl Fn(&Path),
    ) -> (tempfile::TempDir, Option<String>) {
        let temp = tempfile::tempdir().unwrap();
        prepare(temp.path());
        let kept = Kept::remember(temp.path(), name).unwrap();
        change(temp.path());
        let line = kept.put_back();
        assert_eq!(look(temp.path(), name).unwrap(), kept.was);
        (temp, line)
    }

    #[test]
    fn what_did_not_change_is_left_alone() {
        let prepare = |root: &Path| fs::write(root.join(".mcp.json"), "{}").unwrap();
        assert_eq!(changed(".mcp.json", prepare, |_| {}).1, None);
        assert_eq!(changed(".vscode/x", |_| {}, |_| {}).1, None);
    }

    #[test]
    fn files_and_folders_are_put_back_and_new_ones_go() {
        let prepare = |root: &Path| {
            fs::create_dir_all(root.join(".git/hooks")).unwrap();
            fs::write(root.join(".git/hooks/a"), "a").unwrap();
            symlink("a", root.join(".git/hooks/b")).unwrap();
        };
        let (_temp, line) = changed(".git/hooks", prepare, |root| {
            fs::rename(root.join(".git"), root.join("elsewhere")).unwrap();
            fs::create_dir_all(root.join(".git/hooks/evil")).unwrap();
        });
        assert!(line.unwrap().contains("undone"));
        let (temp, line) =
            changed(".vscode", |_| {}, |root| fs::create_dir_all(root.join(".vscode/x")).unwrap());
        assert!(line.is_some() && !temp.path().join(".vscode").exists());
    }

    #[test]
    fn a_link_to_outside_is_replaced_and_never_followed() {
        let outside = tempfile::tempdir().unwrap();
        fs::create_dir(outside.path().join("hooks")).unwrap();
        fs::write(outside.path().join("hooks/precious"), "x").unwrap();
        let prepare = |root: &Path| {
            fs::create_dir_all(root.join(".git/hooks")).unwrap();
            fs::write(root.join(".git/hooks/a"), "a").unwrap();
        };
        changed(".git/hooks", prepare, |root| {
            fs::remove_dir_all(root.join(".git")).unwrap();
            symlink(outside.path(), root.join(".git")).unwrap();
        });
        assert_eq!(fs::read_to_string(outside.path().join("hooks/precious")).unwrap(), "x");
        assert!(!outside.path().join("hooks/a").exists());
    }
}
