//! Names in the workspace that no command may change, for as long as a command runs.
//!
//! In the tier of namespaces each is a read-only mount (see `launch::keep`). A mount needs a place, so that a name that
//! is not there gets one: an empty folder, taken away when the last command has ended ([`places`]). Where nothing can be
//! mounted, what there was is remembered, and put back when the command has ended ([`kept`]): that is so for symbolic
//! links, for names that Git reads and that are not there ([`repository`]), and for every name in the tier of Landlock,
//! whose rules count for whole folders.

mod kept;
mod places;
mod repository;

use std::path::{Path, PathBuf};

use onward_event::Tier;

use crate::launch::order::Jail;
use kept::Kept;

pub(crate) use places::Places;

/// What protects the names of one command.
pub(crate) struct Guard {
    places: Option<Places>,
    kept: Vec<Kept>,
}

impl Guard {
    /// Prepares what the command needs before it starts; `folder` is where notes about it are kept.
    ///
    /// # Errors
    /// Which name cannot be protected, and why. The command must not run.
    pub(crate) fn before(jail: &Jail, folder: &Path) -> Result<Self, String> {
        if !jail.writes() {
            return Ok(Self { places: None, kept: Vec::new() });
        }
        let workspace = PathBuf::from(&jail.workspace);
        let cannot = |why: std::io::Error| {
            format!("the protected names of {} could not be kept: {why}", jail.workspace)
        };
        let mut places = match jail.tier {
            Tier::Namespaces => Some(Places::make(&workspace, &jail.protected, folder).map_err(cannot)?),
            Tier::Landlock | Tier::None => None,
        };
        let mut kept = Vec::new();
        for name in &jail.protected {
            if places.is_none() || is_link(&workspace, name) {
                kept.push(remember(&workspace, name)?);
            }
        }
        for name in repository::names(&workspace) {
            let is_there = workspace.join(&name).symlink_metadata().is_ok();
            match &mut places {
                Some(places) if is_there && !is_link(&workspace, &name) => places.closed.push(name),
                _ => kept.push(remember(&workspace, &name)?),
            }
        }
        Ok(Self { places, kept })
    }

    /// The names that are to be closed by mounts; none where that is not how they are protected.
    pub(crate) fn closed(&self) -> &[String] {
        self.places.as_ref().map_or(&[], |places| &places.closed)
    }

    /// Puts back what the command has changed all the same, after its whole tree has ended. Returns a line for each, and
    /// the places, which may stay for a moment.
    pub(crate) fn after(self) -> (Vec<String>, Option<Places>) {
        (self.kept.iter().filter_map(Kept::put_back).collect(), self.places)
    }

    /// For a command that was never run.
    pub(crate) fn give_up(self) {
        if let Some(places) = self.places {
            places.take_away();
        }
    }
}

fn remember(workspace: &Path, name: &str) -> Result<Kept, String> {
    Kept::remember(workspace, name).map_err(|why| format!("`{name}` could not be kept: {why}"))
}

/// Whether the name, or a folder above it, is a symbolic link.
fn is_link(workspace: &Path, name: &str) -> bool {
    let mut path = workspace.to_owned();
    Path::new(name).components().any(|part| {
        path.push(part);
        path.is_symlink()
    })
}
