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

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundDocuments {
    /// From the wide to the narrow: the root's first, the working directory's last.
    pub documents: Vec<Document>,
    /// Paths of documents that are there and cannot be read, and why.
    pub unreadable: Vec<(String, String)>,
}

/// Finds the instructions that apply in a workspace.
pub trait Documents: Send + Sync {
    /// Looks again each time: what is found may have changed.
    fn load<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, FoundDocuments>;
}
