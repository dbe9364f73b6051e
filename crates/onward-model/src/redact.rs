//! Keeps secrets out of messages: servers quote the key that they refuse, and proxies the headers that they got.

/// What stands in a secret's place.
const MARK: &str = "[redacted]";

/// A shorter value is no secret, and looking for it would spoil every message.
const MIN_LEN: usize = 4;

/// The values that no message may hold.
#[derive(Clone, Default)]
pub(crate) struct Redactor {
    /// The longest first, so that a secret within another leaves nothing of it.
    forms: Vec<String>,
}

impl Redactor {
    /// Knows these values, and the forms that they take in JSON.
    pub(crate) fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut forms: Vec<String> = Vec::new();
        for secret in secrets.into_iter().filter(|secret| secret.len() >= MIN_LEN) {
            // A text in JSON has a quote at either end.
            let json = serde_json::Value::from(secret).to_string();
            forms.push(json[1..json.len() - 1].to_owned());
            forms.push(secret.to_owned());
        }
        forms.sort_by_key(|form| std::cmp::Reverse(form.len()));
        forms.dedup();
        Self { forms }
    }

    /// The text without the secrets, and without the start of one where the text was cut off in its middle.
    pub(crate) fn redact(&self, mut text: String) -> String {
        for form in &self.forms {
            if text.contains(form.as_str()) {
                text = text.replace(form.as_str(), MARK);
            }
        }
        let ends = self.forms.iter().filter_map(|form| cut_start(&text, form));
        if let Some(at) = ends.min() {
            text.truncate(at);
            text.push_str(MARK);
        }
        text
    }
}

/// Where the longest start of `secret` begins with which the text ends, the mark of a shortened quote aside.
fn cut_start(text: &str, secret: &str) -> Option<usize> {
    let text = text.trim_end_matches(['…', '`']);
    let starts = secret.char_indices().map(|(at, _)| at).filter(|at| *at >= MIN_LEN);
    starts.rev().find(|len| text.ends_with(&secret[..*len])).map(|len| text.len() - len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_form_of_a_secret_remains() {
        let redactor = Redactor::new(["sk-1234567890", "a\"b\\c", "", "abc"]);
        let redact = |text: &str| redactor.redact(text.into());
        assert_eq!(redact("bad key sk-1234567890."), "bad key [redacted].");
        assert_eq!(redact(r#"{"key":"a\"b\\c"} a"b\c"#), r#"{"key":"[redacted]"} [redacted]"#);
        assert_eq!(redact("abc stays"), "abc stays");
        assert_eq!(
            Redactor::new(["\"quoted\""]).redact(r#"{"key":"\"quoted\""}"#.into()),
            r#"{"key":"[redacted]"}"#
        );
    }

    #[test]
    fn a_secret_within_another_leaves_nothing_of_it() {
        let redactor = Redactor::new(["key-1", "key-1-and-more"]);
        assert_eq!(redactor.redact("key-1-and-more, key-1".into()), "[redacted], [redacted]");
    }

    #[test]
    fn a_secret_that_was_cut_off_is_redacted_too() {
        let redactor = Redactor::new(["sk-1234567890"]);
        assert_eq!(redactor.redact("bad key sk-12345…".into()), "bad key [redacted]");
        assert_eq!(redactor.redact("bad key sk-".into()), "bad key sk-");
    }
}
