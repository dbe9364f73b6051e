//! The project's own instructions: AGENTS.md and its like (seed, section 10).

use onward_event::{Digest, Workspace};

use crate::BoxFuture;

/// A document that the model is shown as standing instructions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// Path relative to the workspace root.
    pub path: String,
    /// The part that is shown.
    pub text: String,
    /// The digest of that part.
    pub hash: Digest,
    /// Bytes that were cut off to stay within the limit.
    pub cut: u64,
}

/// Finds the instructions that apply in a workspace.
pub trait Documents: Send + Sync {
    /// From the wide to the narrow: the root's first, the working directory's last. A document that cannot be read
    /// is left out; what was left out and why comes second.
    fn load<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, (Vec<Document>, Vec<(String, String)>)>;
}
