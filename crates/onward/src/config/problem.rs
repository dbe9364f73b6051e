//! What is wrong with a configuration, in words: the place, the key, and what to do. Never the value.

use std::path::Path;

use onward_policy::suggestion;

use super::given::Wrong;
use super::source::Source;
use crate::error::{CliError, ErrorKind};

/// A key has a value that cannot be taken.
pub(super) fn bad_value(source: &Source, key: &str, wrong: Wrong) -> CliError {
    match wrong {
        Wrong::Is(what) => CliError::new(ErrorKind::Config, format!("{source}: `{key}` {what}")),
        Wrong::Loosens { from, to } => {
            let message =
                format!("{source}: a project's file may tighten `{key}` and not loosen it ({from} to {to})");
            CliError::new(ErrorKind::Config, message).with_hint(
                "remove the line, or allow it in your own configuration file, by a variable or an option",
            )
        }
    }
}

/// A key that a project's file may not set.
pub(super) fn not_for_projects(source: &Source, key: &str, user_file: Option<&Path>) -> CliError {
    let message = format!(
        "{source}: a project's file may not set `{key}`: a folder from somewhere else must not decide where requests \
         go, what keys they carry, or what runs"
    );
    let place = user_file.map_or("your own configuration file".into(), |path| path.display().to_string());
    CliError::new(ErrorKind::Config, message)
        .with_hint(format!("remove the line; if you want it, set it in {place}"))
}

/// A key that does not exist.
pub(super) fn unknown_key(
    source: &Source,
    key: &str,
    last: &str,
    siblings: &[&str],
    elsewhere: &[String],
) -> CliError {
    let near = suggestion(last, siblings.iter().copied()).map(str::to_owned);
    let message = match near.or_else(|| elsewhere.first().cloned()) {
        Some(near) => format!("{source}: there is no key `{key}`; did you mean `{near}`?"),
        None => format!("{source}: there is no key `{key}`"),
    };
    let error = CliError::new(ErrorKind::Config, message);
    match siblings.is_empty() {
        true => error,
        false => error.with_hint(format!("keys there: {}", siblings.join(", "))),
    }
}

/// A variable that does not exist.
pub(super) fn unknown_variable(name: &str, known: &[&str]) -> CliError {
    let message = match suggestion(name, known.iter().copied()) {
        Some(near) => format!("there is no variable {name}; did you mean {near}?"),
        None => format!("there is no variable {name}"),
    };
    CliError::new(ErrorKind::Config, message)
        .with_hint(format!("unset it. Variables that onward reads: {}", known.join(", ")))
}

/// A file that cannot be read.
pub(super) fn unreadable(path: &Path, why: &str) -> CliError {
    CliError::new(ErrorKind::Config, format!("{} cannot be read: {why}; nothing was started", path.display()))
        .with_hint("repair the file, or move it away")
}

/// A file that is not TOML.
pub(super) fn not_toml(source: &Source, why: &str) -> CliError {
    CliError::new(ErrorKind::Config, format!("{source}: {why}; nothing was started")).with_hint(
        "configuration is written in TOML: `key = \"value\"`, and [table] before the keys of a table",
    )
}
