//! Layer upon layer.

use std::path::Path;

use super::environment::Environment;
use super::file;
use super::overrides::Overrides;
use super::paths;
use super::settings::Config;
use super::small::read_small;
use super::source::FileLayer;
use super::variables;
use crate::error::CliError;

/// The configuration for work in this workspace; `project` is the text of its own file, if that is to take effect.
///
/// # Errors
/// The first thing that is wrong in any layer. Nothing is ignored: what is not understood is refused.
pub(crate) fn load(
    environment: &Environment,
    workspace: &Path,
    overrides: &Overrides,
    project: Option<&str>,
) -> Result<Config, CliError> {
    let mut config = Config::builtin(environment);
    if let Some(path) = paths::user_file(environment)
        && let Some(text) = read_small(&path)?
    {
        let user = file::File { layer: FileLayer::User, path: &path, text: &text };
        file::apply(&user, environment, &mut config)?;
    }
    if let Some(text) = project {
        let path = paths::project_file(workspace);
        file::apply(&file::File { layer: FileLayer::Project, path: &path, text }, environment, &mut config)?;
    }
    variables::apply(environment, &mut config)?;
    variables::refuse_unknown(environment, &config)?;
    overrides.apply(environment, &mut config)?;
    Ok(config)
}
