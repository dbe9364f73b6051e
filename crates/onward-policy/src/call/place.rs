//! Where files may be changed at all: the workspace, and what a command may change beside it.

use onward_event::Tier;
use onward_port::PolicyRequest;

use super::part::Touch;
use crate::globs::below;

/// Temporary folders: a command in namespaces has its own, which go away with it.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp"];

/// The folders.
#[derive(Clone, Debug)]
pub(crate) struct Place<'a> {
    workspace: &'a str,
    beside: Vec<&'a str>,
}

impl<'a> Place<'a> {
    /// Those of a call. A workspace that is not absolute or climbs is none: nothing is in it.
    pub(crate) fn of(request: &PolicyRequest<'a>) -> Self {
        let root = request.workspace.root.as_str();
        let resolved = root.starts_with('/') && !root.split('/').any(|component| component == "..");
        let mut beside = Vec::new();
        if let Some(containment) = request.containment {
            beside.extend(containment.writable.iter().map(String::as_str));
            if containment.tier == Tier::Namespaces {
                beside.extend(TEMPORARY);
            }
        }
        Self { workspace: if resolved { root } else { "" }, beside }
    }

    /// Whether a file that is read or changed lies in them: where its name is, and where that leads.
    pub(crate) fn holds(&self, touch: &Touch) -> bool {
        // A workspace may be named through a link; what its name leads to is then nowhere below that name.
        self.has(&touch.path.real) || self.workspace_leads_to(touch)
    }

    /// Whether there is a workspace.
    pub(crate) fn has_workspace(&self) -> bool {
        !self.workspace.is_empty()
    }

    fn has(&self, path: &str) -> bool {
        let in_workspace = self.has_workspace() && below(path, self.workspace).is_some();
        in_workspace || self.beside.iter().any(|folder| below(path, folder).is_some())
    }

    fn workspace_leads_to(&self, touch: &Touch) -> bool {
        self.has_workspace()
            && std::fs::canonicalize(self.workspace)
                .is_ok_and(|real| below(&touch.path.real, &real.to_string_lossy()).is_some())
    }
}
