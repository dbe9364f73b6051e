//! One type as a table: the fields of an object, or the choices of a set.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::prose;
use super::words::{self, Presence};

/// The table of a type, or a sentence when it is no more than another type.
pub(super) fn table(schema: &Value) -> String {
    let Value::Object(keywords) = schema else { return "Any JSON.\n".into() };
    let choices = keywords.get("oneOf").or_else(|| keywords.get("anyOf")).and_then(Value::as_array);
    match (choices, keywords.get("enum").and_then(Value::as_array)) {
        (Some(choices), _) => of_choices(choices),
        (None, Some(values)) => of_values(values),
        (None, None) if keywords.contains_key("properties") => of_fields(keywords),
        (None, None) => of_other(schema),
    }
}

/// What its doc comment says.
pub(super) fn description(schema: &Value) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

fn of_fields(keywords: &Map<String, Value>) -> String {
    let mut out = String::from("| field | type | meaning |\n|---|---|---|\n");
    let properties = keywords.get("properties").and_then(Value::as_object);
    for (name, presence) in words::field_names(keywords) {
        let Some(schema) = properties.and_then(|properties| properties.get(&name)) else { continue };
        let mark = if presence == Presence::Sometimes { ", optional" } else { "" };
        let meaning = prose::cell(description(schema));
        // Writing to a String cannot fail.
        let _ = writeln!(out, "| `{name}` | {}{mark} | {meaning} |", words::of(schema));
    }
    out
}

/// A choice is a word, or an object with the word as its only key.
fn of_choices(choices: &[Value]) -> String {
    let rows: Vec<_> = choices.iter().flat_map(choice).collect();
    let holds = rows.iter().any(|row| row.holds.is_some());
    let mut out = String::from(if holds {
        "| value | holds | meaning |\n|---|---|---|\n"
    } else {
        "| value | meaning |\n|---|---|\n"
    });
    for Row { value, holds: content, meaning } in rows {
        let content = content.unwrap_or_else(|| "nothing".into());
        let _ = match holds {
            true => writeln!(out, "| {value} | {content} | {meaning} |"),
            false => writeln!(out, "| {value} | {meaning} |"),
        };
    }
    out
}

struct Row {
    value: String,
    holds: Option<String>,
    meaning: String,
}

fn choice(schema: &Value) -> Vec<Row> {
    let meaning = prose::cell(description(schema));
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let row = |value: &Value| Row {
            value: format!("`{}`", words::plain(value)),
            holds: None,
            meaning: meaning.clone(),
        };
        return values.iter().map(row).collect();
    }
    let only = schema.get("properties").and_then(Value::as_object).filter(|fields| fields.len() == 1);
    match only.and_then(|fields| fields.iter().next()) {
        Some((key, content)) => {
            vec![Row { value: format!("`{key}`"), holds: Some(words::of(content)), meaning }]
        }
        None => vec![Row { value: words::of(schema), holds: None, meaning }],
    }
}

fn of_values(values: &[Value]) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("`{}`", words::plain(value))).collect();
    format!("One of {}.\n", values.join(", "))
}

fn of_other(schema: &Value) -> String {
    let what = words::of(schema);
    let mut letters = what.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    format!("{}{}.\n", first.collect::<String>(), letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::table;
    use serde_json::json;

    #[test]
    fn choices_with_content_have_a_column_for_it() {
        let schema = json!({ "oneOf": [
            { "type": "string", "const": "ok", "description": "As asked." },
            { "type": "object", "description": "Badly.", "required": ["error"], "properties": {
                "error": { "type": "object", "required": ["code"], "properties": { "code": { "type": "string" } } },
            } },
        ] });
        assert_eq!(
            table(&schema),
            "| value | holds | meaning |\n|---|---|---|\n| `ok` | nothing | As asked. |\n\
             | `error` | `code` (text) | Badly. |\n"
        );
    }

    #[test]
    fn words_alone_and_plain_types_are_short() {
        let words = json!({ "oneOf": [{ "type": "string", "const": "read", "description": "It looks." }] });
        assert_eq!(table(&words), "| value | meaning |\n|---|---|\n| `read` | It looks. |\n");
        assert_eq!(table(&json!({ "type": "string", "enum": ["a", "b"] })), "One of `a`, `b`.\n");
        assert_eq!(table(&json!({ "type": "integer" })), "Number.\n");
    }
}
