//! Content: a list of parts.

use crate::prelude::*;
use crate::{ArtifactId, Digest};

/// One part of a message or of a tool's answer. A secret never enters a record; a reference to it does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text(String),
    /// Bytes that are stored once under their hash.
    Blob {
        /// Where they are stored.
        hash: Digest,
        /// For example `image/png`.
        media_type: String,
        /// In bytes.
        size: u64,
    },
    /// A stored result that the model reads with a tool.
    Reference(ArtifactId),
    /// The name of a secret; its value is filled in where it is used, never here.
    SecretRef(String),
}

impl Part {
    /// A part of text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }
}

/// The words of a content, one part after the other, without what is not text.
pub fn text_of(content: &[Part]) -> String {
    let mut out = String::new();
    for part in content {
        if let Part::Text(text) = part {
            out.push_str(text);
        }
    }
    out
}
