//! How a command is contained.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FileAccess, NetworkAccess, Tier};

/// The containment of one command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sandbox {
    /// By what.
    pub tier: Tier,
    /// What it may change.
    pub files: FileAccess,
    /// Whether it may speak to other machines.
    pub network: NetworkAccess,
    /// Folders beside the workspace that it may change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writable: Vec<String>,
}

impl Sandbox {
    pub(crate) fn new(sandbox: &onward_event::Sandbox) -> Self {
        Self {
            tier: sandbox.tier.into(),
            files: sandbox.files.into(),
            network: sandbox.network.into(),
            writable: sandbox.writable.clone(),
        }
    }
}
