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
    let project = project.map(|text| (paths::project_file(workspace), text));
    let project = project.as_ref().map(|(path, text)| file::File { layer: FileLayer::Project, path, text });
    let (config, faults) = gather(environment, overrides, project)?;
    faults.into_iter().next().map_or(Ok(config), Err)
}

/// As much of the configuration as is understood, and the first thing that is not: for commands that look or stop
/// something, which a slip must not keep anybody from. No project's file is among it.
///
/// # Errors
/// When an option makes no sense: it was typed for this very command.
pub(crate) fn load_understood(
    environment: &Environment,
    overrides: &Overrides,
) -> Result<(Config, Option<CliError>), CliError> {
    let (config, faults) = gather(environment, overrides, None)?;
    Ok((config, faults.into_iter().next()))
}

/// All layers, and everything that is wrong with files and variables, in the order of the layers.
fn gather(
    environment: &Environment,
    overrides: &Overrides,
    project: Option<file::File<'_>>,
) -> Result<(Config, Vec<CliError>), CliError> {
    let (mut config, mut faults) = (Config::builtin(environment), Vec::new());
    if let Some(path) = paths::user_file(environment) {
        match read_small(&path) {
            Ok(Some(text)) => {
                let user = file::File { layer: FileLayer::User, path: &path, text: &text };
                faults.extend(file::apply(&user, environment, &mut config));
            }
            Ok(None) => {}
            Err(error) => faults.push(error),
        }
    }
    if let Some(project) = project {
        faults.extend(file::apply(&project, environment, &mut config));
    }
    faults.extend(variables::apply(environment, &mut config));
    faults.extend(variables::unknown(environment, &config));
    overrides.apply(environment, &mut config)?;
    Ok((config, faults))
}
