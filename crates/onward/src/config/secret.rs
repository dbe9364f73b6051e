//! References to secrets: configuration says where a key is, never what it is.

use std::fmt;
use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use onward_port::Secret;

use super::environment::Environment;

/// Where a secret is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SecretRef {
    /// In this environment variable.
    Env(String),
    /// In this file.
    File(PathBuf),
}

/// What a header is sent with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HeaderValue {
    /// These words.
    Literal(String),
    /// A secret.
    Secret(SecretRef),
}

/// A key is a line; a file that is longer is something else.
const LONGEST_FILE: u64 = 64 << 10;

impl SecretRef {
    /// Reads a reference. None when the text is not one.
    pub(super) fn parse(text: &str, environment: &Environment) -> Option<Result<Self, String>> {
        if let Some(name) = text.strip_prefix("env:") {
            let valid = !name.is_empty() && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_');
            return Some(match valid {
                true => Ok(Self::Env(name.into())),
                false => {
                    Err("names no variable: after `env:` comes the name of an environment variable".into())
                }
            });
        }
        let path = text.strip_prefix("file:")?;
        Some(match path.starts_with(['/', '~']) {
            true => environment.path(path, &environment.cwd).map(Self::File),
            false => {
                Err("names no file: after `file:` comes an absolute path, or one that starts with `~/`"
                    .into())
            }
        })
    }

    /// The secret.
    ///
    /// # Errors
    /// Why it cannot be had: a fragment that names the place and never the value.
    pub(crate) fn resolve(&self, environment: &Environment) -> Result<Secret, String> {
        let value = match self {
            Self::Env(name) => {
                environment.var(name).ok_or_else(|| format!("the variable {name} is not set"))?.to_owned()
            }
            Self::File(path) => read_line(path)
                .map_err(|error| format!("the file {} cannot be read: {error}", path.display()))?,
        };
        match value.trim() {
            "" => Err(format!("{self} is empty")),
            value => Ok(Secret::new(value.into())),
        }
    }
}

impl fmt::Display for SecretRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Env(name) => write!(f, "env:{name}"),
            Self::File(path) => write!(f, "file:{}", path.display()),
        }
    }
}

impl HeaderValue {
    /// Reads what a header is sent with; a literal that looks like a secret is refused.
    pub(super) fn parse(name: &str, text: &str, environment: &Environment) -> Result<Self, String> {
        if let Some(reference) = SecretRef::parse(text, environment) {
            return reference.map(Self::Secret);
        }
        if names_a_secret(name) || looks_like_a_secret(text) {
            return Err(format!("looks like a secret: {WRITE_A_REFERENCE}"));
        }
        match text.contains(|c: char| c.is_control()) {
            true => Err("has a character that HTTP does not allow".into()),
            false => Ok(Self::Literal(text.into())),
        }
    }
}

/// What to write instead of a key.
pub(super) const WRITE_A_REFERENCE: &str = "a key is never written down here; write where it is, as in \"env:OPENAI_API_KEY\" or \"file:/path/to/key\"";

/// Whether a header, a parameter or a variable of this name carries a secret.
pub(super) fn names_a_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["authorization", "cookie", "key", "token", "secret", "password"].iter().any(|word| name.contains(word))
}

/// Whether this text is probably a secret: it begins like one, or is long, of one piece, and mixes letters and digits.
fn looks_like_a_secret(text: &str) -> bool {
    const BEGINNINGS: [&str; 7] = ["sk-", "bearer ", "basic ", "ghp_", "github_pat_", "xoxb-", "aiza"];
    let lower = text.trim().to_ascii_lowercase();
    let of_one_piece = |c: char| c.is_ascii_alphanumeric() || "_-+=/.".contains(c);
    let mixed =
        lower.contains(|c: char| c.is_ascii_digit()) && lower.contains(|c: char| c.is_ascii_alphabetic());
    BEGINNINGS.iter().any(|beginning| lower.starts_with(beginning))
        || (lower.len() >= 24 && mixed && lower.chars().all(of_one_piece))
}

fn read_line(path: &PathBuf) -> std::io::Result<String> {
    let mut text = String::new();
    let read = File::open(path)?.take(LONGEST_FILE + 1).read_to_string(&mut text)?;
    match read as u64 > LONGEST_FILE {
        true => Err(std::io::Error::other("it is too long to hold a key")),
        false => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment() -> Environment {
        let vars = [("KEY".to_owned(), "hunter2\n".to_owned()), ("EMPTY".to_owned(), " ".to_owned())].into();
        Environment { vars, home: Some("/home/user".into()), cwd: "/".into() }
    }

    #[test]
    fn references_read_back() {
        for (text, expect) in [
            ("env:OPENAI_API_KEY", "env:OPENAI_API_KEY"),
            ("file:/run/key", "file:/run/key"),
            ("file:~/key", "file:/home/user/key"),
        ] {
            let reference = SecretRef::parse(text, &environment()).unwrap().unwrap();
            assert_eq!(reference.to_string(), expect);
        }
        for bad in ["env:", "env:A-B", "env:$A", "file:key", "file:"] {
            assert!(SecretRef::parse(bad, &environment()).unwrap().is_err(), "{bad}");
        }
        assert_eq!(SecretRef::parse("sk-123", &environment()), None);
    }

    #[test]
    fn a_secret_is_read_without_its_line_feed() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("key");
        std::fs::write(&path, "hunter2\n").unwrap();
        for reference in [SecretRef::Env("KEY".into()), SecretRef::File(path)] {
            assert_eq!(reference.resolve(&environment()).unwrap().expose(), "hunter2");
        }
    }

    #[test]
    fn a_secret_that_cannot_be_had_says_where_it_was_looked_for() {
        let dir = tempfile::tempdir().unwrap();
        let long = dir.path().join("long");
        std::fs::write(&long, "x".repeat(70_000)).unwrap();
        for (reference, why) in [
            (SecretRef::Env("NOT_SET".into()), "NOT_SET is not set"),
            (SecretRef::Env("EMPTY".into()), "env:EMPTY is empty"),
            (SecretRef::File(dir.path().join("none")), "cannot be read"),
            (SecretRef::File(long), "too long"),
        ] {
            let error = reference.resolve(&environment()).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn headers_hold_words_or_references() {
        for (name, text) in [
            ("HTTP-Referer", "https://example.com/some/long/path/with/1/digit"),
            ("X-Title", "my agent, version 2 of the year 2026"),
            ("anthropic-version", "2023-06-01"),
        ] {
            let value = HeaderValue::parse(name, text, &environment());
            assert_eq!(value, Ok(HeaderValue::Literal(text.into())));
        }
        for (name, text) in [
            ("Authorization", "plain"),
            ("X-Api-Key", "plain"),
            ("X-Other", "Bearer abc"),
            ("X-Other", "sk-abc"),
            ("X-Other", "0123456789abcdef0123456789abcdef"),
            ("X-Other", "a\r\nb"),
        ] {
            let error = HeaderValue::parse(name, text, &environment()).unwrap_err();
            assert!(!error.contains(text), "the value is repeated: {error}");
        }
        let reference = HeaderValue::parse("Authorization", "env:KEY", &environment()).unwrap();
        assert_eq!(reference, HeaderValue::Secret(SecretRef::Env("KEY".into())));
    }
}
