//! The type of a value, in words: what JSON Schema says, as a person would say it.

use serde_json::{Map, Value};

use super::prose;

/// Where definitions are, in a reference to one.
const DEFINITIONS: &str = "#/$defs/";

/// What a value of this schema is.
pub(super) fn of(schema: &Value) -> String {
    let Value::Object(keywords) = schema else { return "any JSON".into() };
    if let Some(name) = referred(keywords) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(Value::Array(choices)) = keywords.get("anyOf").or_else(|| keywords.get("oneOf")) {
        // What may be absent is marked as such by the field; `null` says nothing more.
        let choices: Vec<_> = choices.iter().filter(|choice| !is_null(choice)).map(of).collect();
        return choices.join(" or ");
    }
    if let Some(constant) = keywords.get("const") {
        return format!("`{}`", plain(constant));
    }
    match type_of(keywords).as_str() {
        "string" => text(keywords),
        "integer" | "number" => "number".into(),
        "boolean" => "true or false".into(),
        "array" => format!("list of {}", keywords.get("items").map_or_else(|| "any JSON".into(), of)),
        "object" => object(keywords),
        _ => "any JSON".into(),
    }
}

/// The name of the definition that a schema refers to.
pub(super) fn referred(keywords: &Map<String, Value>) -> Option<&str> {
    keywords.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix(DEFINITIONS))
}

/// A constant as it is written in a sentence: a text without its quotes.
pub(super) fn plain(constant: &Value) -> String {
    constant.as_str().map_or_else(|| constant.to_string(), str::to_owned)
}

/// The names of an object's fields: those that are always there, in the order of the type; then the others.
pub(super) fn field_names(keywords: &Map<String, Value>) -> Vec<(String, Presence)> {
    let required = keywords.get("required").and_then(Value::as_array);
    let always: Vec<String> =
        required.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    let properties = keywords.get("properties").and_then(Value::as_object);
    let maybe = properties.into_iter().flat_map(Map::keys).filter(|name| !always.contains(name));
    let maybe: Vec<_> = maybe.map(|name| (name.clone(), Presence::Sometimes)).collect();
    always.into_iter().map(|name| (name, Presence::Always)).chain(maybe).collect()
}

/// Whether a field is always there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// Yes.
    Always,
    /// It is left out when it would say nothing.
    Sometimes,
}

fn type_of(keywords: &Map<String, Value>) -> String {
    match keywords.get("type") {
        Some(Value::String(one)) => one.clone(),
        Some(Value::Array(several)) => several
            .iter()
            .filter_map(Value::as_str)
            .find(|name| *name != "null")
            .unwrap_or_default()
            .to_owned(),
        _ => String::new(),
    }
}

/// Ids and digests are told apart by the pattern that they follow.
fn text(keywords: &Map<String, Value>) -> String {
    match keywords.get("pattern").and_then(Value::as_str) {
        None => "text".into(),
        Some(pattern) if pattern.contains("{64}") => "digest".into(),
        Some(pattern) => match pattern.trim_start_matches('^').split_once('_') {
            Some((prefix, _)) => format!("id `{prefix}_…`"),
            None => format!("text like `{pattern}`"),
        },
    }
}

/// A small object within another one is told in one line.
fn object(keywords: &Map<String, Value>) -> String {
    let Some(properties) = keywords.get("properties").and_then(Value::as_object) else {
        return "object".into();
    };
    let field = |(name, presence): (String, Presence)| {
        let schema = properties.get(&name)?;
        let mark = if presence == Presence::Sometimes { ", optional" } else { "" };
        let meaning = schema.get("description").and_then(Value::as_str).map(prose::cell);
        let meaning =
            meaning.map(|meaning| format!(": {}", meaning.trim_end_matches('.'))).unwrap_or_default();
        Some(format!("`{name}` ({}{mark}){meaning}", of(schema)))
    };
    field_names(keywords).into_iter().filter_map(field).collect::<Vec<_>>().join("; ")
}

fn is_null(schema: &Value) -> bool {
    schema.get("type").and_then(Value::as_str) == Some("null")
}

#[cfg(test)]
mod tests {
    use super::of;
    use serde_json::json;

    #[test]
    fn each_shape_has_its_words() {
        let id = json!({ "type": "string", "pattern": "^turn_[0-7][0-9a-hjkmnp-tv-z]{25}$" });
        for (schema, expect) in [
            (json!({ "$ref": "#/$defs/TurnSource" }), "[TurnSource](#turnsource)"),
            (json!({ "anyOf": [{ "$ref": "#/$defs/Price" }, { "type": "null" }] }), "[Price](#price)"),
            (json!({ "type": ["integer", "null"], "format": "uint64" }), "number"),
            (json!({ "type": "array", "items": id }), "list of id `turn_…`"),
            (json!({ "type": "string", "pattern": "^[0-9a-f]{64}$" }), "digest"),
            (json!({ "const": "in_process" }), "`in_process`"),
            (json!(true), "any JSON"),
            (json!({}), "any JSON"),
        ] {
            assert_eq!(of(&schema), expect, "{schema}");
        }
    }

    #[test]
    fn an_object_is_told_field_by_field() {
        let schema = json!({
            "type": "object",
            "properties": {
                "at": { "type": "integer" },
                "code": { "type": "string", "description": "For programs." },
            },
            "required": ["code"],
        });
        assert_eq!(of(&schema), "`code` (text): For programs; `at` (number, optional)");
    }
}
