//! Where rules are.

use std::path::PathBuf;

use crate::config::Environment;
use crate::error::{CliError, ErrorKind};

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
