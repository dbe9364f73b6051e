//! Which session is meant: the named one, or the latest one of a folder.

use std::path::Path;

use onward_event::{SessionId, Workspace};
use onward_port::SessionSummary;

use super::{find_workspace, only};
use crate::args::Named;
use crate::error::{CliError, ErrorKind};

/// The one of this id, or the latest one of this folder.
///
/// # Errors
/// When there is none.
pub(crate) fn find_session(
    sessions: Vec<SessionSummary>,
    id: Option<Named<SessionId>>,
    dir: &Path,
) -> Result<SessionSummary, CliError> {
    if let Some(named) = id {
        let id = match named.whole() {
            Some(id) => id,
            None => {
                let ids = sessions.iter().map(|summary| summary.session);
                only(named, &ids.filter(|id| named.fits(*id)).collect())?
            }
        };
        return sessions.into_iter().find(|summary| summary.session == id).ok_or_else(|| {
            CliError::new(ErrorKind::NotFound, format!("there is no session {id}"))
                .with_hint("`onward sessions --all` lists them")
        });
    }
    let workspace = find_workspace(dir)?;
    let found = sessions.into_iter().find(|summary| same_place(&summary.workspace, &workspace));
    found.ok_or_else(|| no_session(&workspace))
}

/// There is no session in this folder.
pub(crate) fn no_session(workspace: &Workspace) -> CliError {
    CliError::new(ErrorKind::NotFound, format!("no session was ever started in {}", workspace.dir))
        .with_hint("start one with `onward exec \"…\"`, or name one of `onward sessions --all`")
}

/// Sessions of a repository belong together, whichever of its folders they were started in.
pub(crate) fn same_place(a: &Workspace, b: &Workspace) -> bool {
    a.root == b.root
}
