//! What a person is told when a command fails: what failed, what was kept, what to do next.

use std::fmt;

use onward_wire::terminal::exact;

use crate::exit::ExitCode;

/// The kind of a failure; the word goes into `--json`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The command line cannot be followed.
    Usage,
    /// A configuration file, a variable or a setting is wrong.
    Config,
    /// There is no such session, call, approval.
    NotFound,
    /// The store of sessions cannot be used.
    Store,
    /// The session is worked on elsewhere.
    Owned,
    /// The runtime failed.
    Runtime,
    /// A command could not be contained.
    Sandbox,
}

/// A failed command, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CliError {
    /// What kind of failure.
    pub(crate) kind: ErrorKind,
    /// What failed, and what was kept: a lowercase fragment.
    pub(crate) message: String,
    /// What to do about it.
    pub(crate) hint: Option<String>,
    /// How the process ends.
    pub(crate) code: ExitCode,
    /// Whether the stream of `--json` has it already.
    pub(crate) is_in_stream: bool,
}

impl ErrorKind {
    /// The word for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Usage => "usage",
            Self::Config => "config",
            Self::NotFound => "not_found",
            Self::Store => "store",
            Self::Owned => "owned",
            Self::Runtime => "runtime",
            Self::Sandbox => "sandbox",
        }
    }

    /// How a command usually ends with such a failure.
    fn code(self) -> ExitCode {
        match self {
            Self::Usage | Self::Config => ExitCode::Usage,
            Self::NotFound | Self::Store | Self::Owned | Self::Runtime | Self::Sandbox => ExitCode::Error,
        }
    }
}

impl CliError {
    /// A failure without advice, with the usual exit code of its kind.
    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None, code: kind.code(), is_in_stream: false }
    }

    /// With advice.
    #[must_use]
    pub(crate) fn with_hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

/// `error: …` and `hint: …`, a line each; lines that follow within one are indented. Control characters, which may come
/// from a file or a name, are shown and never sent to the terminal.
impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_labelled(f, "error", &self.message)?;
        if let Some(hint) = &self.hint {
            f.write_str("\n")?;
            write_labelled(f, "hint", hint)?;
        }
        Ok(())
    }
}

impl std::error::Error for CliError {}

fn write_labelled(f: &mut fmt::Formatter<'_>, label: &str, text: &str) -> fmt::Result {
    write!(f, "{label}: ")?;
    f.write_str(&exact(text.trim_end()).replace('\n', "\n  "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_rendered_with_its_hint() {
        let error =
            CliError::new(ErrorKind::Config, "no model is set").with_hint("set one\nor run `onward demo`");
        assert_eq!(error.to_string(), "error: no model is set\nhint: set one\n  or run `onward demo`");
        assert_eq!((error.code, error.kind.name()), (ExitCode::Usage, "config"));
    }

    #[test]
    fn nothing_reaches_the_terminal_but_text() {
        let error = CliError::new(ErrorKind::Usage, "unknown key `\u{1b}[2Ja\u{202e}b\r`\n");
        assert_eq!(error.to_string(), "error: unknown key `␛[2Ja<U+202E>b␍`");
    }

    #[test]
    fn a_kind_decides_the_code_unless_told_otherwise() {
        assert_eq!(CliError::new(ErrorKind::Store, "full").code, ExitCode::Error);
    }
}
