//! Names in the workspace that no command may change, for as long as a command runs.
//!
//! In the tier of namespaces each is a read-only mount (see `launch::keep`). A mount needs a place, so that a name that
//! is not there gets one: an empty folder, taken away when the last command has ended ([`places`]). Where nothing can be
//! mounted, what there was is remembered, and put back when the command has ended ([`kept`]): that is so for symbolic
//! links, for names that Git reads and that are not there ([`repository`]), and for every name in the tier of Landlock,
//! whose rules count for whole folders. What a symbolic link leads to is protected with it ([`trail`]).

mod kept;
mod places;
mod repository;
mod trail;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use onward_event::Tier;

use crate::launch::order::Jail;
use kept::Kept;
use trail::Trail;

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
        let (mut ends, mut links) = (BTreeSet::new(), BTreeSet::new());
        let mut follow = |name: &str| {
            let trail = Trail::of(&workspace, name);
            links.extend(trail.links);
            trail.end
        };
        ends.extend(jail.protected.iter().filter_map(|name| follow(name)));
        let repository: BTreeSet<String> =
            repository::names(&workspace).iter().filter_map(|name| follow(name)).collect();
        let mut kept = Vec::new();
        for link in &links {
            kept.push(remember(&workspace, link)?);
        }
        if jail.tier != Tier::Namespaces {
            for name in ends.union(&repository) {
                kept.push(remember(&workspace, name)?);
            }
            return Ok(Self { places: None, kept });
        }
        let ends: Vec<String> = ends.into_iter().collect();
        let mut places = Places::make(&workspace, &ends, folder).map_err(cannot)?;
        let (there, absent): (Vec<_>, Vec<_>) =
            repository.into_iter().partition(|name| workspace.join(name).symlink_metadata().is_ok());
        places.closed.extend(there);
        for name in absent {
            // What is around a closed name is a mount, too.
            let is_pinned =
                |around: &&Path| places.closed.iter().any(|closed| Path::new(closed).starts_with(around));
            let pinned = Path::new(&name).ancestors().skip(1).find(is_pinned).unwrap_or(Path::new(""));
            kept.push(remember(&workspace, &name)?.in_pinned(pinned));
        }
        Ok(Self { places: Some(places), kept })
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
