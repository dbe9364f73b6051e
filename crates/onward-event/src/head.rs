//! The part of a request that stays the same from step to step: stored once, named by its digest.

use crate::prelude::*;
use crate::{Digest, Trust};

/// What the model is told about a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// Changes when its meaning does.
    pub version: String,
    /// What it does and when to use it, for the model.
    pub description: String,
    /// JSON Schema of its input.
    pub input_schema: Value,
}

/// A stretch of standing instructions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Section {
    /// `instructions`, or the path of a document.
    pub source: String,
    /// How far it is trusted.
    pub trust: Trust,
    /// The words.
    pub text: String,
    /// The whole document's digest, for a document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<Digest>,
}

/// Instructions and tools: what every request of a turn starts with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RequestHead {
    /// From the wide to the narrow.
    pub instructions: Vec<Section>,
    /// In a fixed order.
    pub tools: Vec<ToolDefinition>,
}
