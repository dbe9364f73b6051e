//! What the view of a command depends on and somebody else may change: looked at before the view is made, and again
//! before a command runs in a view that was made earlier.
//!
//! A view that is older than its command could show what must be hidden by now: a secret that was put down meanwhile, a
//! service that listens since, another folder under the name of the workspace. Whoever finds a difference throws the view
//! away; what is compared is what was found *before* the view was made, so that a change during its making counts too.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::order::Jail;
use super::{sockets, view};

/// What was seen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sight {
    /// Sockets that somebody listens on, and what must be hidden.
    covered: Vec<Seen>,
    /// The folders that may be changed, and the workspace in any case.
    roots: Vec<Seen>,
    /// Where fresh folders go, the links that are kept in them, and the resolver's file.
    system: Vec<Seen>,
    links: Vec<Option<PathBuf>>,
}

impl Sight {
    /// Looks.
    pub(crate) fn look(jail: &Jail) -> Self {
        let sockets = sockets::listening(jail).into_iter();
        let covered = sockets.chain(jail.hidden.iter().map(PathBuf::from));
        let roots = std::iter::once(&jail.workspace).chain(&jail.writable).map(PathBuf::from);
        let system = view::FRESH.iter().chain([&view::RESOLVER]).map(PathBuf::from);
        Self {
            covered: covered.map(Seen::at).collect(),
            roots: roots.map(Seen::at).collect(),
            system: system.map(Seen::at).collect(),
            links: view::KEPT_LINKS.iter().map(|path| std::fs::read_link(path).ok()).collect(),
        }
    }

    /// Where all that is to be covered really is. What is not there cannot be made either: around it everything is
    /// read-only.
    pub(super) fn covered(&self) -> impl Iterator<Item = &Path> {
        self.covered.iter().filter_map(|seen| seen.what.as_ref()).map(|what| what.path.as_path())
    }
}

/// A path, and what was there.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    path: PathBuf,
    what: Option<What>,
}

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
struct What {
    path: PathBuf,
    device: u64,
    inode: u64,
    /// The number of something that is gone may be given to something else. Not of folders: theirs changes with all that
    /// is put into them.
    changed: Option<(i64, i64)>,
}

impl Seen {
    fn at(path: PathBuf) -> Self {
        let what = path.canonicalize().ok().and_then(|real| {
            let meta = real.symlink_metadata().ok()?;
            Some(What::new(real, &meta))
        });
        Self { path, what }
    }
}

impl What {
    fn new(path: PathBuf, meta: &Metadata) -> Self {
        let changed = (!meta.is_dir()).then_some((meta.ctime(), meta.ctime_nsec()));
        Self { path, device: meta.dev(), inode: meta.ino(), changed }
    }
}
