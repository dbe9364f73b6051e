//! Names below the workspace that a command in namespaces of its own cannot change: each is a mount of its own, read-only,
//! and each folder above one is a mount too, so that none of them can be moved away.

use std::io;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Access, access};

use super::failure::{Failure, Step as _};
use super::order::Jail;
use super::tree_fd::Mount;
use crate::sys::{Attributes, Reach};

/// Closes the protected names. Those that are not there have a place by now (see [`crate::protect`]).
pub(super) fn close(jail: &Jail) -> Result<(), Failure> {
    if !jail.writes() {
        return Ok(());
    }
    let mut pins = Pins { workspace: PathBuf::from(&jail.workspace), done: Vec::new() };
    for name in &jail.protected {
        pins.walk(Path::new(name), true)?;
    }
    // What is hidden is covered by now. If the folders around it could be moved away, the next command would not find it,
    // and it would lie open somewhere else.
    for hidden in jail.hidden.iter().filter_map(|path| Path::new(path).canonicalize().ok()) {
        if let Some(around) = hidden.strip_prefix(&jail.workspace).ok().and_then(Path::parent) {
            pins.walk(around, false)?;
        }
    }
    Ok(())
}

struct Pins {
    workspace: PathBuf,
    /// What is a mount already.
    done: Vec<PathBuf>,
}

impl Pins {
    /// Makes each part of a name a mount; the last one read-only, if it is to be closed.
    fn walk(&mut self, name: &Path, close: bool) -> Result<(), Failure> {
        let mut path = self.workspace.clone();
        let mut parts = name.components().peekable();
        while let Some(Component::Normal(part)) = parts.next() {
            path.push(part);
            let meta = match path.symlink_metadata() {
                Ok(meta) => meta,
                // Where the person may make nothing, the command cannot either.
                Err(_) if !may_make(&path) => return Ok(()),
                Err(error) => return Err(error).step(format_args!("protect {}", path.display())),
            };
            // A link is put back when the command has ended: nothing can be mounted on it.
            if meta.is_symlink() {
                return Ok(());
            }
            let last = parts.peek().is_none() || !meta.is_dir();
            if !self.done.contains(&path) {
                pin(&path, last && close).step(format_args!("protect {}", path.display()))?;
                self.done.push(path.clone());
            }
            if last {
                return Ok(());
            }
        }
        Ok(())
    }
}

fn may_make(path: &Path) -> bool {
    path.parent().is_some_and(|folder| access(folder, Access::WRITE_OK).is_ok())
}

fn pin(path: &Path, read_only: bool) -> io::Result<()> {
    let own = Mount::copy_of(path)?;
    if read_only {
        own.mark(Attributes::READ_ONLY, Reach::Tree)?;
    }
    own.put(path)
}
