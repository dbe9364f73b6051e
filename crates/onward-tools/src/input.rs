//! Reads an input as a typed struct, and turns whatever is wrong with it into sentences that a model can act on:
//! which field, what was expected, which fields there are.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// What a tool's input looks like, from its schema.
pub(crate) struct Shape {
    tool: &'static str,
    fields: Vec<Field>,
}

struct Field {
    name: String,
    required: bool,
    kind: String,
    minimum: Option<i64>,
    maximum: Option<i64>,
    pattern: Option<String>,
}

impl Shape {
    /// The shape that a schema made by [`crate::schema::schema_of`] describes.
    pub(crate) fn new(tool: &'static str, schema: &Value) -> Self {
        let required = schema.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let empty = Map::new();
        let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
        let fields = properties.iter().map(|(name, property)| Field {
            name: name.clone(),
            required: required.iter().any(|r| r == name),
            kind: property.get("type").and_then(Value::as_str).unwrap_or_default().into(),
            minimum: property.get("minimum").and_then(Value::as_i64),
            maximum: property.get("maximum").and_then(Value::as_i64),
            pattern: property.get("pattern").and_then(Value::as_str).map(Into::into),
        });
        let mut fields: Vec<Field> = fields.collect();
        fields.sort_by_key(|field| !field.required);
        Self { tool, fields }
    }

    /// Reads the input.
    ///
    /// # Errors
    /// Everything that is wrong with it, one sentence each; the last one names the fields that the tool accepts.
    pub(crate) fn read<T: DeserializeOwned>(&self, input: &Value) -> Result<T, Vec<String>> {
        let Value::Object(object) = input else {
            return Err(
                self.closed(vec![format!("the input must be a JSON object, but is {}", shown(input))])
            );
        };
        let mut wrong = self.unknown_and_missing(object);
        wrong.extend(self.out_of_range(object));
        // Without what is unknown: the decoder stops at its first complaint, and that one is made already.
        let known = object.iter().filter(|(name, _)| self.field(name).is_some());
        let known = Value::Object(known.map(|(name, value)| (name.clone(), value.clone())).collect());
        match serde_path_to_error::deserialize::<_, T>(&known) {
            Ok(typed) if wrong.is_empty() => return Ok(typed),
            Ok(_) => {}
            Err(error) => wrong.extend(self.wrong_type(object, &error, wrong.is_empty())),
        }
        Err(self.closed(wrong))
    }

    fn unknown_and_missing(&self, object: &Map<String, Value>) -> Vec<String> {
        let unknown = object.keys().filter(|name| self.field(name).is_none());
        let unknown = unknown.map(|name| format!("there is no field `{}`", cut(name)));
        let missing = self.fields.iter().filter(|field| field.required && !object.contains_key(&field.name));
        let missing = missing
            .map(|field| format!("the field `{}` is missing: it must be {}", field.name, field.expected()));
        unknown.chain(missing).collect()
    }

    fn out_of_range(&self, object: &Map<String, Value>) -> Vec<String> {
        let numbers = self.fields.iter().filter_map(|f| Some((f, object.get(&f.name)?.as_i64()?)));
        numbers
            .filter(|(field, n)| !field.allows(*n))
            .map(|(field, n)| field.mismatch(&Value::from(n)))
            .collect()
    }

    /// The decoder's complaint as a sentence, unless it is among those already made.
    fn wrong_type(
        &self,
        object: &Map<String, Value>,
        error: &serde_path_to_error::Error<serde_json::Error>,
        only: bool,
    ) -> Option<String> {
        let path = error.path().to_string();
        match (self.field(&path), object.get(&path)) {
            (Some(field), Some(Value::Number(n))) if n.as_i64().is_some_and(|n| !field.allows(n)) => None,
            (Some(field), Some(value)) => Some(field.mismatch(value)),
            _ if only => Some(error.inner().to_string()),
            _ => None,
        }
    }

    fn closed(&self, mut reasons: Vec<String>) -> Vec<String> {
        let fields: Vec<String> = self.fields.iter().map(Field::summary).collect();
        reasons.push(format!("`{}` accepts: {}", self.tool, fields.join("; ")));
        reasons
    }

    fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl Field {
    fn allows(&self, n: i64) -> bool {
        self.minimum.is_none_or(|minimum| n >= minimum) && self.maximum.is_none_or(|maximum| n <= maximum)
    }

    fn mismatch(&self, value: &Value) -> String {
        format!("`{}` must be {}, but is {}", self.name, self.expected(), shown(value))
    }

    fn summary(&self) -> String {
        let required = if self.required { "required, " } else { "" };
        format!("`{}` ({required}{})", self.name, self.expected())
    }

    fn expected(&self) -> String {
        let kind = match (self.kind.as_str(), &self.pattern) {
            ("string", Some(pattern)) => format!("text that matches {pattern}"),
            ("string", None) => "text".into(),
            ("integer", _) => "a whole number".into(),
            ("boolean", _) => "true or false".into(),
            (other, _) => other.to_owned(),
        };
        match (self.minimum, self.maximum) {
            (Some(minimum), Some(maximum)) => format!("{kind} from {minimum} to {maximum}"),
            (Some(minimum), None) => format!("{kind}, at least {minimum}"),
            (None, Some(maximum)) => format!("{kind}, at most {maximum}"),
            (None, None) => kind,
        }
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the text {:?}", cut(text)),
        Value::Array(_) => "a list".into(),
        Value::Object(_) => "an object".into(),
        plain => plain.to_string(),
    }
}

fn cut(text: &str) -> String {
    const MAX_CHARS: usize = 60;
    let mut out: String = text.chars().take(MAX_CHARS).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}
