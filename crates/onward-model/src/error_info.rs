//! What an error says, whatever its shape.
//!
//! Servers wrap errors as `{"error":{"message","type","code"}}`, `{"error":"…"}`, `{"message":…}`, `{"detail":…}`, or
//! any of these within a list; the code is a word or an HTTP status; a gateway hides the real error in
//! `metadata.raw`.

use serde_json::Value;

use crate::quote::quote;

/// The parts of an error that tell what to do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ErrorInfo {
    /// For people: short, on one line.
    pub(crate) message: String,
    /// The whole message in lower case, for finding known wordings.
    pub(crate) wording: String,
    /// Codes, types and status words in lower case, with spaces between.
    pub(crate) codes: String,
    /// An HTTP status that the error itself names.
    pub(crate) status: Option<u16>,
}

impl ErrorInfo {
    /// Reads the body of an answer with an error status.
    pub(crate) fn of_body(body: &[u8]) -> Self {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => Self::of_value(&value),
            Err(_) => Self {
                message: quote(body),
                wording: String::from_utf8_lossy(body).to_lowercase(),
                ..Self::default()
            },
        }
    }

    /// Reads an error object, or what wraps one.
    pub(crate) fn of_value(value: &Value) -> Self {
        let error = unwrap(value);
        let mut texts: Vec<String> = ["message", "detail", "error_description", "msg"]
            .iter()
            .filter_map(|name| error.get(name).and_then(text))
            .take(1)
            .collect();
        texts.extend(error.pointer("/metadata/raw").and_then(text));
        if let Value::String(message) = error {
            texts.push(message.clone());
        }
        if texts.is_empty() {
            texts.push(error.to_string());
        }
        let whole = texts.join(": ");
        let words = ["code", "type", "status"].iter().filter_map(|name| error.get(name));
        Self {
            message: quote(whole.as_bytes()),
            wording: whole.to_lowercase(),
            codes: words.clone().filter_map(Value::as_str).collect::<Vec<_>>().join(" ").to_lowercase(),
            status: words.filter_map(http_status).next(),
        }
    }
}

fn unwrap(value: &Value) -> &Value {
    let inner = match value {
        Value::Array(list) => list.first(),
        Value::Object(fields) => fields.get("error").filter(|error| !error.is_null()),
        _ => None,
    };
    // A list of errors, each within an `error`: two levels are all that is in use.
    match inner {
        Some(inner) if value.is_array() => inner.get("error").unwrap_or(inner),
        Some(inner) => inner,
        None => value,
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Array(_) | Value::Object(_) => Some(value.to_string()),
        _ => None,
    }
}

fn http_status(value: &Value) -> Option<u16> {
    let number = match value {
        Value::String(text) => text.parse().ok()?,
        other => other.as_u64()?,
    };
    u16::try_from(number).ok().filter(|status| (400..600).contains(status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(body: &str, message: &str, codes: &str, status: Option<u16>) {
        let info = ErrorInfo::of_body(body.as_bytes());
        assert_eq!((info.message.as_str(), info.codes.as_str(), info.status), (message, codes, status));
    }

    #[test]
    fn every_shape_in_use_is_read() {
        check(r#"{"error":{"message":"no","type":"T","code":"C","param":null}}"#, "no", "c t", None);
        check(r#"{"error":"no"}"#, "no", "", None);
        check(
            r#"{"object":"error","message":"no","type":"BadRequestError","code":400}"#,
            "no",
            "badrequesterror",
            Some(400),
        );
        check(
            r#"[{"error":{"code":429,"message":"no","status":"RESOURCE_EXHAUSTED"}}]"#,
            "no",
            "resource_exhausted",
            Some(429),
        );
        check(r#"{"detail":[{"loc":["body"],"msg":"no"}]}"#, r#"[{"loc":["body"],"msg":"no"}]"#, "", None);
        check(
            r#"{"error":{"message":"upstream","code":502,"metadata":{"raw":"no"}}}"#,
            "upstream: no",
            "",
            Some(502),
        );
        check(r#"{"error":{}}"#, "{}", "", None);
        check(r#"{"error":null,"message":"no"}"#, "no", "", None);
        check("<title>no</title>", "an HTML page `no`", "", None);
        check("", "(nothing)", "", None);
    }
}
