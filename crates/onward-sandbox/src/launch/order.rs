//! What a launcher is told: the command and its containment.

use std::path::Path;

use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};
use serde::{Deserialize, Serialize};

use crate::setup::{Limits, PROTECTED_AT_HOME, SandboxSetup};

/// A command, and how it is contained.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LaunchOrder {
    pub(crate) argv: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) dir: String,
    /// Whether the command leads a process group of its own; else it stays in the terminal's.
    pub(crate) own_group: bool,
    pub(crate) jail: Jail,
}

/// The containment of one command, in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Jail {
    pub(crate) tier: Tier,
    pub(crate) files: FileAccess,
    pub(crate) network: NetworkAccess,
    pub(crate) workspace: String,
    pub(crate) writable: Vec<String>,
    pub(crate) hidden: Vec<String>,
    /// Below the workspace; each is plain components joined by `/`. A launcher closes those that are there.
    pub(crate) protected: Vec<String>,
    /// Names that are protected in the folders below the workspace, too.
    pub(crate) nested: Vec<String>,
    pub(crate) limits: Limits,
    /// The command's own temporary folder, where it cannot have a `/tmp` of its own.
    pub(crate) scratch: Option<String>,
}

impl Jail {
    pub(crate) fn new(sandbox: &Sandbox, workspace: &str, setup: &SandboxSetup) -> Self {
        let mut protected = setup.protected.clone();
        // A workspace that is a home folder, or holds one.
        if let Some(home) = &setup.home
            && let Ok(below) = Path::new(home).strip_prefix(workspace)
        {
            let names =
                PROTECTED_AT_HOME.iter().filter_map(|name| below.join(name).to_str().map(str::to_owned));
            protected.extend(names);
        }
        Self {
            tier: sandbox.tier,
            files: sandbox.files,
            network: sandbox.network,
            workspace: workspace.to_owned(),
            writable: sandbox.writable.clone(),
            hidden: setup.hidden.clone(),
            protected,
            nested: setup.protected.clone(),
            limits: setup.limits,
            scratch: None,
        }
    }

    /// Whether the workspace may be changed.
    pub(crate) fn writes(&self) -> bool {
        self.files == FileAccess::WorkspaceWrite
    }

    /// Whether the network is closed.
    pub(crate) fn is_closed(&self) -> bool {
        self.network == NetworkAccess::Closed
    }

    /// The folders that may be changed, the workspace first.
    pub(crate) fn writable_roots(&self) -> Vec<&Path> {
        match self.writes() {
            true => std::iter::once(&self.workspace).chain(&self.writable).map(Path::new).collect(),
            false => Vec::new(),
        }
    }
}
