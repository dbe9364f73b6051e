//! The shapes of an answer, as tolerant as they can be: a field that is missing, `null`, unknown or of another type
//! than the protocol says is as good as absent, and what has an enumeration in the protocol is a text here. What fails
//! is only what cannot be understood at all: bytes that are not a JSON object, choices and calls that are no objects.

use serde::Deserialize;
use serde::de::{DeserializeOwned, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

/// One event of a stream, or a whole answer that was not streamed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk {
    #[serde(deserialize_with = "or_nothing")]
    pub(super) choices: Vec<Choice>,
    pub(super) usage: Option<Value>,
    pub(super) error: Option<Value>,
    /// `error` when the whole event is one.
    pub(super) object: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    #[serde(deserialize_with = "lenient")]
    pub(super) index: Option<u64>,
    pub(super) delta: Option<Delta>,
    /// Instead of `delta` when the answer was not streamed.
    pub(super) message: Option<Delta>,
    #[serde(deserialize_with = "lenient")]
    pub(super) finish_reason: Option<String>,
    /// Some servers report usage here.
    pub(super) usage: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta {
    /// A text, or a list of parts.
    pub(super) content: Option<Value>,
    #[serde(deserialize_with = "lenient")]
    pub(super) reasoning_content: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) reasoning: Option<String>,
    #[serde(deserialize_with = "lenient")]
    pub(super) refusal: Option<String>,
    #[serde(deserialize_with = "or_nothing")]
    pub(super) tool_calls: Vec<CallDelta>,
}

/// A call, or a piece of one.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallDelta {
    #[serde(deserialize_with = "lenient")]
    pub(super) index: Option<u64>,
    #[serde(deserialize_with = "lenient")]
    pub(super) id: Option<String>,
    pub(super) function: Option<FunctionDelta>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct FunctionDelta {
    #[serde(deserialize_with = "lenient")]
    pub(super) name: Option<String>,
    /// A text that holds JSON; some servers send the JSON itself.
    pub(super) arguments: Option<Box<RawValue>>,
}

/// A part of a content that is a list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ContentPart {
    #[serde(deserialize_with = "lenient")]
    r#type: Option<String>,
    #[serde(deserialize_with = "lenient")]
    text: Option<String>,
    /// Of a part of type `thinking`: a text, or again a list of parts.
    thinking: Option<Value>,
}

/// What a content says: words and thoughts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) thoughts: String,
    pub(super) words: String,
}

impl Chunk {
    /// Reads one event.
    ///
    /// # Errors
    /// When the bytes are not one JSON object.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        // A list would be taken for the fields in their order.
        if bytes.trim_ascii_start().first() == Some(&b'[') {
            return Err(serde::de::Error::custom("a list where an object belongs"));
        }
        serde_json::from_slice(bytes)
    }

    /// The error that this event reports instead of a piece of an answer.
    pub(super) fn error(&self, bytes: &[u8]) -> Option<Value> {
        let is_error = self.object.as_ref().is_some_and(|object| object == "error");
        match &self.error {
            Some(error) => Some(error.clone()),
            None if is_error => serde_json::from_slice(bytes).ok(),
            None => None,
        }
    }
}

impl FunctionDelta {
    /// The piece of the arguments, as text.
    pub(super) fn arguments(&self) -> String {
        let Some(raw) = &self.arguments else { return String::new() };
        match raw.get() {
            "null" => String::new(),
            text if text.starts_with('"') => serde_json::from_str(text).unwrap_or_default(),
            json => json.to_owned(),
        }
    }
}

impl Said {
    /// What a `content` says.
    pub(super) fn of(content: Option<Value>) -> Self {
        let mut said = Self::default();
        match content {
            Some(Value::String(text)) => said.words = text,
            Some(Value::Array(parts)) => parts.into_iter().for_each(|part| said.add(part)),
            _ => {}
        }
        said
    }

    fn add(&mut self, part: Value) {
        let Ok(part) = ContentPart::deserialize(part) else { return };
        if part.r#type.as_deref() == Some("thinking") {
            self.thoughts.push_str(&Self::of(part.thinking).words);
        } else {
            self.words.push_str(&part.text.unwrap_or_default());
        }
    }
}

/// A scalar of the expected type, a number where a text is expected, or nothing.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let value = Value::deserialize(deserializer)?;
    let text = match &value {
        Value::Number(number) => Value::String(number.to_string()),
        _ => Value::Null,
    };
    Ok(T::deserialize(value).or_else(|_| T::deserialize(text)).ok())
}

/// A list, which may be `null`.
fn or_nothing<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(Option::<Vec<T>>::deserialize(deserializer)?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn odd_fields_are_as_good_as_absent() {
        let odd = json!({
            "object": 7, "new": {"field": []}, "choices": [{
                "index": "0", "finish_reason": {"why": 1}, "logprobs": null,
                "delta": {"content": 12, "refusal": null, "reasoning": [], "tool_calls": null, "audio": {}},
            }],
        });
        let chunk = Chunk::parse(odd.to_string().as_bytes()).unwrap();
        let choice = &chunk.choices[0];
        assert_eq!((choice.index, choice.finish_reason.as_deref()), (None, None));
        assert_eq!(Said::of(choice.delta.as_ref().unwrap().content.clone()), Said::default());
        assert!(Chunk::parse(br#"{"choices":null,"usage":null}"#).unwrap().choices.is_empty());
    }

    #[test]
    fn only_an_object_is_an_event() {
        for bad in ["", "{", "[]", "null", "7", "\"x\"", "{} {}", "[[]]", "\u{feff}{}"] {
            assert!(Chunk::parse(bad.as_bytes()).is_err(), "{bad}");
        }
        assert!(Chunk::parse(b" {} \n").is_ok());
    }

    #[test]
    fn arguments_are_a_text_or_the_json_itself() {
        let arguments = |json: &str| {
            let delta: FunctionDelta = serde_json::from_str(json).unwrap();
            delta.arguments()
        };
        assert_eq!(arguments(r#"{"arguments":"{\"a\":\"é\"}"}"#), r#"{"a":"é"}"#);
        assert_eq!(arguments(r#"{"arguments":{"a":18446744073709551617}}"#), r#"{"a":18446744073709551617}"#);
        assert_eq!(arguments(r#"{"arguments":null,"name":3}"#), "");
    }

    #[test]
    fn a_content_may_be_a_list() {
        let content = json!([
            {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
            {"type": "text", "text": "a"}, {"type": "image"}, 3, {"text": "b"},
        ]);
        assert_eq!(Said::of(Some(content)), Said { thoughts: "hm".into(), words: "ab".into() });
    }
}
