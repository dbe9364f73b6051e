//! What is stored beside the messages: whole outputs, and the project's instructions (seed, section 10).

use crate::prelude::*;
use crate::{ArtifactId, CallId, Digest};

/// `artifact/stored`: a result that is too large for a message; same append as the `tool/result` that names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ArtifactStored {
    /// The artifact.
    pub artifact: ArtifactId,
    /// The call that made it.
    pub call: CallId,
    /// Where its bytes are stored.
    pub hash: Digest,
    /// For example `text/plain`.
    pub media_type: String,
    /// In bytes.
    pub size: u64,
    /// What it is, for people and the model.
    pub summary: String,
}

/// `document/loaded`: a version of a project's instructions that the model is shown from here on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DocumentLoaded {
    /// Path relative to the workspace root.
    pub path: String,
    /// Of the part that is shown.
    pub hash: Digest,
    /// Bytes that are shown.
    pub size: u64,
    /// Bytes that were cut.
    #[serde(default, skip_serializing_if = "crate::prelude::is_zero")]
    pub cut: u64,
}
