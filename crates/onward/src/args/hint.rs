//! What a person meant who typed a task where a command is expected, or a task without quotes.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Commands whose first word is a text.
const WITH_TEXT: [&str; 2] = ["exec", "send"];

/// The error, with advice when words look like a task.
pub(super) fn with_hint(mut error: Error, words: &[String]) -> Error {
    let rest = words.get(1..).unwrap_or_default();
    let advice = match (error.kind(), rest) {
        (ErrorKind::InvalidSubcommand, task) if error.get(ContextKind::SuggestedSubcommand).is_none() => {
            typed("exec", task)
        }
        (ErrorKind::UnknownArgument, [command, task @ ..])
            if WITH_TEXT.contains(&command.as_str()) && !names_an_option(&error) =>
        {
            typed(command, task)
        }
        _ => None,
    };
    if let Some(advice) = advice {
        let advice =
            StyledStr::from(format!("a task is one word for the shell, so put it in quotes: {advice}"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice]));
    }
    error
}

/// The command line that was meant; none when options stand among the words, because then nobody can tell.
fn typed(command: &str, task: &[String]) -> Option<String> {
    let plain = task.iter().all(|word| !word.starts_with('-'));
    match plain && !task.is_empty() {
        true => Some(format!("`onward {command} \"{}\"`", task.join(" ").replace('"', "\\\""))),
        false => Some(format!("`onward {command} \"…\"`")),
    }
}

/// Whether what is unknown begins like an option.
fn names_an_option(error: &Error) -> bool {
    matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(arg)) if arg.starts_with('-'))
}
