//! What a tool takes, as one digest.

use onward_event::{Digest, ToolDefinition};
use serde_json::Value;

use crate::digest;

/// Over a tool's name, version and schema. Words for the model are left out: they may be put better without making it
/// another tool.
pub fn definition_digest(definition: &ToolDefinition) -> Digest {
    let ToolDefinition { name, version, description: _, input_schema } = definition;
    digest(
        Value::from(vec![name.as_str().into(), version.as_str().into(), bare(input_schema)])
            .to_string()
            .as_bytes(),
    )
}

/// A schema without the words in it. A property that is called like them is a table, and stays.
fn bare(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let is_word = |(name, value): &(&String, &Value)| {
                matches!(name.as_str(), "description" | "title") && value.is_string()
            };
            fields
                .iter()
                .filter(|field| !is_word(field))
                .map(|(name, value)| (name.clone(), bare(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(bare).collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn words_do_not_count_and_what_is_taken_does() {
        let tool = |version: &str, words: &str, kind: &str| {
            definition_digest(&ToolDefinition {
                name: "t".into(),
                version: version.into(),
                description: words.into(),
                input_schema: json!({ "title": words, "properties": { "description": { "type": kind, "description": words } } }),
            })
        };
        let base = tool("1", "does it", "string");
        assert_eq!(base, tool("1", "does it well", "string"));
        assert_ne!(base, tool("2", "does it", "string"));
        assert_ne!(base, tool("1", "does it", "number"));
    }
}
