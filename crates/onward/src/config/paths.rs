//! Where files are, unless something says otherwise.

use std::path::{Path, PathBuf};

use super::environment::Environment;
use crate::error::{CliError, ErrorKind};

/// The person's configuration file.
pub(super) fn user_file(environment: &Environment) -> Option<PathBuf> {
    Some(environment.xdg("XDG_CONFIG_HOME", ".config")?.join("onward/config.toml"))
}

/// The project's configuration file.
pub(super) fn project_file(workspace: &Path) -> PathBuf {
    workspace.join(".onward/config.toml")
}

/// Where sessions are kept.
pub(super) fn default_data_dir(environment: &Environment) -> Option<PathBuf> {
    Some(environment.xdg("XDG_DATA_HOME", ".local/share")?.join("onward"))
}

/// There is no place for sessions.
pub(super) fn no_data_dir() -> CliError {
    CliError::new(ErrorKind::Config, "there is no place to keep sessions: no home folder is known")
        .with_hint("name a folder with `--data-dir` or ONWARD_DATA_DIR")
}
