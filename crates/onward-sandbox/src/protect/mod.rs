//! Names in the workspace that no command may change, for as long as a command runs.
//!
//! In the tier of namespaces each is a read-only mount (see `launch::keep`). A mount needs a place, so that a name that
//! is not there gets one: an empty folder, taken away when the last command has ended ([`places`]). Where nothing can be
//! mounted, what there was is remembered, and put back when the command has ended ([`kept`]): that is so for symbolic
//! links, for names that Git reads and that are not there ([`repository`]), and for every name in the tier of Landlock,
//! whose rules count for whole folders. What a symbolic link leads to is protected with it ([`trail`]).
//!
//! The names in the workspace itself are protected whether they are there or not. In the folders below it those that are
//! there are ([`nested`]), and all of them where there is a repository; what a command makes of them elsewhere is looked
//! at when it has ended ([`made`]).

mod kept;
mod made;
mod nested;
mod places;
mod repository;
mod trail;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use onward_event::Tier;

use crate::launch::order::Jail;
use crate::setup::SandboxSetup;
use kept::Kept;
use trail::Trail;

pub(crate) use nested::Nested;
pub use nested::Reach;
pub(crate) use places::Places;

/// How far protecting names in the folders of a workspace reaches: found out by looking through it.
pub fn reach(workspace: &Path, setup: &SandboxSetup) -> Reach {
    let mut nested = Nested::new(workspace, &setup.protected, &setup.hidden);
    nested.look_again();
    nested.reach()
}

/// What protects the names of one command.
pub(crate) struct Guard {
    places: Option<Places>,
    kept: Vec<Kept>,
    workspace: PathBuf,
    /// Absent where nothing can be changed.
    nested: Option<Nested>,
}

impl Guard {
    /// Prepares what the command needs before it starts; `folder` is where notes about it are kept, and `nested` what was
    /// found in the workspace, which may be some time ago.
    ///
    /// # Errors
    /// Which name cannot be protected, and why. The command must not run.
    pub(crate) fn before(jail: &Jail, folder: &Path, mut nested: Nested) -> Result<Self, String> {
        let workspace = PathBuf::from(&jail.workspace);
        if !jail.writes() {
            return Ok(Self { places: None, kept: Vec::new(), workspace, nested: None });
        }
        nested.look_again();
        let below = Below::of(&nested, &workspace, &jail.nested);
        let cannot = |why: std::io::Error| {
            format!("the protected names of {} could not be kept: {why}", jail.workspace)
        };
        let (mut ends, mut links) = (BTreeSet::new(), BTreeSet::new());
        let mut follow = |name: &str| {
            let trail = Trail::of(&workspace, name);
            links.extend(trail.links);
            trail.end
        };
        ends.extend(jail.protected.iter().chain(&below.names).filter_map(|name| follow(name)));
        let mut repository = repository::names(&workspace, Path::new(""));
        repository.extend(below.of_repositories);
        let repository: BTreeSet<String> = repository.iter().filter_map(|name| follow(name)).collect();
        let mut kept = Vec::new();
        for link in &links {
            kept.push(remember(&workspace, link)?);
        }
        if jail.tier != Tier::Namespaces {
            for name in ends.union(&repository) {
                kept.push(remember(&workspace, name)?);
            }
            return Ok(Self { places: None, kept, workspace, nested: Some(nested) });
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
        Ok(Self { places: Some(places), kept, workspace, nested: Some(nested) })
    }

    /// The names that are to be closed by mounts; none where that is not how they are protected.
    pub(crate) fn closed(&self) -> &[String] {
        self.places.as_ref().map_or(&[], |places| &places.closed)
    }

    /// Puts back what the command has changed all the same, after its whole tree has ended. Returns a line for each, and
    /// the places, which may stay for a moment.
    pub(crate) fn after(self) -> (Vec<String>, Option<Places>) {
        let mut lines: Vec<String> = self.kept.iter().filter_map(Kept::put_back).collect();
        if let Some(mut nested) = self.nested {
            lines.extend(made::set_aside(&self.workspace, &nested.look_again()));
        }
        (lines, self.places)
    }

    /// For a command that was never run.
    pub(crate) fn give_up(self) {
        if let Some(places) = self.places {
            places.take_away();
        }
    }
}

/// The names to protect in the folders below the workspace.
struct Below {
    /// Those that are there, and the settings of each repository whether they are there or not.
    names: Vec<String>,
    /// Those that no folder can stand in for: what is there is closed, what is not is taken away again.
    of_repositories: Vec<String>,
}

impl Below {
    fn of(nested: &Nested, workspace: &Path, protected: &[String]) -> Self {
        let mut below = Self { names: Vec::new(), of_repositories: Vec::new() };
        for (folder, there) in nested.found() {
            let is_there = |name: &str| there.iter().any(|part| Path::new(name).starts_with(part));
            let (there, absent): (Vec<_>, Vec<_>) = protected.iter().partition(|name| is_there(name));
            let whole = |name: &String| folder.join(name).to_str().map(str::to_owned);
            below.names.extend(there.into_iter().filter_map(whole));
            if is_there(GIT) {
                below.of_repositories.extend(repository::names(workspace, folder));
                below.of_repositories.extend(absent.into_iter().filter_map(whole));
            }
        }
        below
    }
}

/// Where a folder is a repository.
const GIT: &str = ".git";

fn remember(workspace: &Path, name: &str) -> Result<Kept, String> {
    Kept::remember(workspace, name).map_err(|why| format!("`{name}` could not be kept: {why}"))
}
