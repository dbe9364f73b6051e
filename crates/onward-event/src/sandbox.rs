//! How a command is contained, and what exactly runs: fixed before it starts (seed, section 3).

use crate::Digest;
use crate::prelude::*;

/// By what means a command is contained; the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Namespaces of its own (user, mount, process, network, …), with Landlock and seccomp inside.
    Namespaces,
    /// Landlock and seccomp, where namespaces are refused.
    Landlock,
    /// Nothing: somebody waived it.
    None,
}

impl Tier {
    /// The word for it, in configuration and in every view.
    pub fn name(self) -> &'static str {
        match self {
            Self::Namespaces => "namespaces",
            Self::Landlock => "landlock",
            Self::None => "none",
        }
    }
}

/// What a command may do with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FileAccess {
    /// Change nothing but temporary files of its own.
    ReadOnly,
    /// Change the workspace, without its protected names, and temporary files of its own.
    WorkspaceWrite,
}

/// Whether a command reaches the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NetworkAccess {
    /// No.
    Closed,
    /// Whatever the machine reaches.
    Open,
}

/// The containment of one command.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sandbox {
    /// By what.
    pub tier: Tier,
    /// What it may change.
    pub files: FileAccess,
    /// Whether it may speak to other machines.
    pub network: NetworkAccess,
    /// Folders beside the workspace that it may change; absolute.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writable: Vec<String>,
}

/// What runs in place of the text that the model wrote: it was made from what was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rendered {
    /// A program and its arguments; no shell reads them.
    Argv(Vec<String>),
    /// A script in which every word is quoted.
    Script(String),
}

/// A file as it was when a call was judged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FileState {
    /// Which; absolute, resolved.
    pub path: String,
    /// Over its content; absent when there is no such file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
}
