//! Names below the workspace that a command in namespaces of its own cannot change: each is a mount of its own, read-only,
//! and each folder above one is a mount too, so that none of them can be moved away.

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
    let mut pinned: Vec<PathBuf> = Vec::new();
    for name in &jail.protected {
        let mut path = PathBuf::from(&jail.workspace);
        let parts: Vec<_> = Path::new(name).components().collect();
        for (at, part) in parts.iter().enumerate() {
            let Component::Normal(part) = part else { break };
            path.push(part);
            let meta = match path.symlink_metadata() {
                Ok(meta) => meta,
                // Where the person may make nothing, the command cannot either.
                Err(_) if !may_make(&path) => break,
                Err(error) => return Err(error).step(format_args!("protect {}", path.display())),
            };
            // A link is put back when the command has ended: nothing can be mounted on it.
            if meta.is_symlink() {
                break;
            }
            let last = at + 1 == parts.len() || !meta.is_dir();
            if pinned.contains(&path) {
                if last {
                    break;
                }
                continue;
            }
            close_one(&path, last).step(format_args!("protect {}", path.display()))?;
            pinned.push(path.clone());
            if last {
                break;
            }
        }
    }
    Ok(())
}

fn may_make(path: &Path) -> bool {
    path.parent().is_some_and(|folder| access(folder, Access::WRITE_OK).is_ok())
}

fn close_one(path: &Path, read_only: bool) -> std::io::Result<()> {
    let own = Mount::copy_of(path)?;
    if read_only {
        own.mark(Attributes::READ_ONLY, Reach::Tree)?;
    }
    own.put(path)
}
