//! Layer upon layer.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use super::environment::Environment;
use super::file;
use super::overrides::Overrides;
use super::paths;
use super::problem;
use super::settings::Config;
use super::source::FileLayer;
use super::variables;
use crate::error::CliError;

/// Nobody writes this much configuration; a file that is longer is something else.
const LONGEST_FILE: u64 = 1 << 20;

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
        && let Some(text) = read(&path)?
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

/// The text of a file; none when there is no such file.
fn read(path: &Path) -> Result<Option<String>, CliError> {
    let unreadable = |why: &dyn std::fmt::Display| problem::unreadable(path, &why.to_string());
    let file = match File::open(path) {
        Ok(file) => file,
        // A component of the path that is no folder means the same: the file is not there.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(unreadable(&error)),
    };
    let mut bytes = Vec::new();
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err(unreadable(&"it is larger than 1 MiB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| unreadable(&"it is not UTF-8"))
}
