//! Events and values: every text in them, whatever they are.

use std::borrow::Cow;

use onward_event::Event;
use serde_json::{Map, Value};

use super::Redactor;

impl Redactor {
    /// The event without secrets. It stays of its kind: where a secret is also a word of the log's own vocabulary, that
    /// word is left as it is.
    pub fn event(&self, event: Event) -> Event {
        let Some(search) = &self.0 else { return event };
        // Never fails for an event of the vocabulary.
        let Ok(body) = event.body_json() else { return event };
        if !search.may_hold(body.as_bytes()) {
            return event;
        }
        let Ok(value) = serde_json::from_str::<Value>(&body) else { return event };
        let clean = [Words::Redacted, Words::Kept].into_iter().find_map(|words| {
            let clean = self.walked(value.clone(), words);
            if clean == value { Some(event.clone()) } else { event.with_body(&clean.to_string()).ok() }
        });
        clean.unwrap_or(event)
    }

    /// The value without secrets, in its keys too.
    pub fn value(&self, value: Value) -> Value {
        if self.is_empty() { value } else { self.walked(value, Words::Redacted) }
    }

    fn walked(&self, value: Value, words: Words) -> Value {
        match value {
            Value::String(text) if words == Words::Kept && is_word(&text) => Value::String(text),
            Value::String(text) => Value::String(self.string(text)),
            Value::Array(items) => items.into_iter().map(|item| self.walked(item, words)).collect(),
            Value::Object(fields) => Value::Object(self.fields(fields, words)),
            other => other,
        }
    }

    fn fields(&self, fields: Map<String, Value>, words: Words) -> Map<String, Value> {
        let field = |(name, value): (String, Value)| {
            let name = match words {
                Words::Kept if is_word(&name) => name,
                _ => self.string(name),
            };
            (name, self.walked(value, words))
        };
        fields.into_iter().map(field).collect()
    }

    /// The text without secrets: parsed and walked when it is JSON, because JSON can write each character in several
    /// ways.
    pub fn json_text<'a>(&self, text: &'a str) -> Cow<'a, str> {
        match serde_json::from_str::<Value>(text) {
            Ok(value) if !self.is_empty() => match self.value(value.clone()) {
                clean if clean == value => Cow::Borrowed(text),
                clean => Cow::Owned(clean.to_string()),
            },
            _ => self.text(text),
        }
    }
}

/// What becomes of texts that could be words of a vocabulary.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Words {
    Redacted,
    Kept,
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')
}
