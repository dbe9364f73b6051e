//! JSON Schemas, derived from the input types and then stripped: every byte of a schema is sent with every request, so
//! nothing stays that does not help to write an input. What is left out is checked all the same, and whoever gets it
//! wrong is told.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The schema of an input type.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    if let Value::Object(root) = &mut schema {
        // What the tool does is said in its definition already.
        root.remove("description");
    }
    strip(&mut schema);
    schema
}

/// As [`schema_of`], for the model: without what only a check needs.
pub(crate) fn schema_for_model(schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let Value::Object(root) = &mut schema {
        // An unknown field is refused, and the answer lists the known ones.
        root.remove("additionalProperties");
        // Some servers refuse an object of which they are not told the properties, even where there are none.
        root.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().filter_map(Value::as_object_mut).for_each(|property| {
            // Ids are copied, never made up.
            property.remove("pattern");
            if property.get("minimum").is_some_and(|minimum| minimum == 0) {
                property.remove("minimum");
            }
        });
    }
    schema
}

fn strip(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    strip_noise(schema);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(strip);
    }
}

fn strip_noise(schema: &mut Map<String, Value>) {
    for noise in ["$schema", "title", "format", "default"] {
        schema.remove(noise);
    }
    // An optional field may be left out; that it may also be null is true, and no help.
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
}
