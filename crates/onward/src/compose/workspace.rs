//! Where a session works: the repository that the folder is in, or the folder itself.

use std::path::Path;

use onward_event::Workspace;

use crate::error::{CliError, ErrorKind};

/// The workspace of a folder: its root is the nearest folder upwards that holds `.git`.
///
/// # Errors
/// When the folder is not there, or its path is not text.
pub(crate) fn find_workspace(dir: &Path) -> Result<Workspace, CliError> {
    let failed =
        |why: String| CliError::new(ErrorKind::Usage, format!("cannot work in {}: {why}", dir.display()));
    let real = dir.canonicalize().map_err(|error| failed(error.to_string()))?;
    if !real.is_dir() {
        return Err(failed("it is not a folder".into()));
    }
    let root = real.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(&real);
    let text = |path: &Path| {
        path.to_str().map(str::to_owned).ok_or_else(|| failed("its path is not valid UTF-8".into()))
    };
    Ok(Workspace { root: text(root)?, dir: text(&real)? })
}
