//! What every measurement is given.

use std::path::{Path, PathBuf};

use crate::options::{Options, Part};
use crate::place::{Place, Scratch};
use crate::server::{Script, Server};

/// The choice, the binary, and a folder to work in.
pub(crate) struct Scene {
    /// What was chosen.
    pub(crate) options: Options,
    /// The release binary.
    pub(crate) binary: PathBuf,
    /// Removed at the end.
    pub(crate) scratch: Scratch,
}

impl Scene {
    /// A model that plays so many steps, and a place for a process that asks it.
    pub(crate) fn stage(&self, name: &str, script: Script) -> anyhow::Result<(Server, Place)> {
        let server = Server::start(script)?;
        let place = Place::new(&self.scratch, name, &self.binary, server.port())?;
        Ok((server, place))
    }

    /// Whether this part is to be measured.
    pub(crate) fn wants(&self, part: Part) -> bool {
        self.options.only.is_empty() || self.options.only.contains(&part)
    }

    /// The first, or the second when it should go quickly.
    pub(crate) fn pick<T>(&self, full: T, quick: T) -> T {
        if self.options.quick { quick } else { full }
    }

    /// Where the binary is.
    pub(crate) fn binary(&self) -> &Path {
        &self.binary
    }
}
