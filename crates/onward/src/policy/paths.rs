//! Where rules are.

use std::path::PathBuf;

use onward_policy::{Layer, LayerFile};

use crate::config::Environment;
use crate::error::{CliError, ErrorKind};

/// The administrator's rules. Nothing moves them, no variable, option or file: whoever runs this program could else leave
/// them behind.
const ADMINISTRATOR: &str = "/etc/onward/policy.toml";

/// The files of rules that are not a folder's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PolicyFiles {
    /// The administrator's.
    pub(crate) administrator: PathBuf,
    /// The person's; none where no home folder is known.
    pub(crate) user: Option<PathBuf>,
}

impl PolicyFiles {
    /// Where they are on this machine.
    pub(crate) fn of(environment: &Environment) -> Self {
        Self { administrator: ADMINISTRATOR.into(), user: user_policy(environment).ok() }
    }

    /// Each with its layer.
    pub(crate) fn layers(&self) -> Vec<LayerFile> {
        let administrator = LayerFile { layer: Layer::Administrator, path: self.administrator.clone() };
        let user = self.user.iter().map(|path| LayerFile { layer: Layer::User, path: path.clone() });
        [administrator].into_iter().chain(user).collect()
    }
}

/// The person's rules: beside the person's configuration.
///
/// # Errors
/// When no home folder is known.
pub(crate) fn user_policy(environment: &Environment) -> Result<PathBuf, CliError> {
    let folder = environment.xdg("XDG_CONFIG_HOME", ".config").ok_or_else(|| {
        CliError::new(ErrorKind::Config, "there is no place for your own rules: no home folder is known")
            .with_hint("set HOME or XDG_CONFIG_HOME")
    })?;
    Ok(folder.join("onward/policy.toml"))
}
