//! The rules that a session is judged by: the administrator's, the person's, and those of the session's own folder.

use std::path::Path;

use onward_event::Workspace;
use onward_policy::Layer;

use crate::error::CliError;
use crate::policy::{LivePolicy, OwnedLayer, PolicyFiles, rules_error};
use crate::trust::{ProjectFiles, TrustRecord};

/// Loads the rules for work in this workspace. Rules of its folder are among them only when exactly they are trusted;
/// `more` are layers that no file holds.
///
/// # Errors
/// When a file is wrong or cannot be read. Nothing is to be started then: what it forbids is not known.
pub(crate) fn rules_for(
    files: &PolicyFiles,
    data: &Path,
    workspace: &Workspace,
    more: &[OwnedLayer],
) -> Result<LivePolicy, CliError> {
    let mut texts = more.to_vec();
    texts.extend(project_layer(data, workspace)?);
    LivePolicy::load(files.layers(), texts).map_err(|errors| rules_error(&errors))
}

/// As [`rules_for`], for what only stops things, which wrong rules must not keep anybody from.
///
/// # Errors
/// When what the folder brings along, or the record of trust, cannot be read.
pub(super) fn rules_to_stop(
    files: &PolicyFiles,
    data: &Path,
    workspace: &Workspace,
    more: &[OwnedLayer],
) -> Result<LivePolicy, CliError> {
    let mut texts = more.to_vec();
    texts.extend(project_layer(data, workspace)?);
    Ok(LivePolicy::load_to_stop(files.layers(), texts))
}

/// The rules of the workspace's folder, if the person trusts what lies there.
fn project_layer(data: &Path, workspace: &Workspace) -> Result<Option<OwnedLayer>, CliError> {
    let Some(files) = ProjectFiles::read(workspace.root.as_ref())? else { return Ok(None) };
    if !TrustRecord::read(data)?.trusts(&workspace.root, &files) {
        return Ok(None);
    }
    let layer = files.policy().map(|(path, text)| OwnedLayer {
        layer: Layer::Project,
        name: path.display().to_string(),
        text: text.to_owned(),
    });
    Ok(layer)
}
