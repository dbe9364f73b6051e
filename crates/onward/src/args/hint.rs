//! What a person meant who typed a task where a command is expected, or a task or command without quotes.

use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use onward_wire::terminal::exact;

/// Commands whose first word is a text.
const WITH_TEXT: [&str; 2] = ["exec", "send"];

/// The error, with advice when words look like a task, or like a command that is to be explained.
pub(super) fn with_hint(mut error: Error, words: &[String]) -> Error {
    if let Some(advice) = explained(&error, words) {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![StyledStr::from(advice)]));
        return error;
    }
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
        true => Some(format!("`onward {command} {}`", quoted(&task.join(" ")))),
        false => Some(format!("`onward {command} \"…\"`")),
    }
}

/// Advice for `policy explain` with a command of several words, as they were meant.
fn explained(error: &Error, words: &[String]) -> Option<String> {
    let at = words.windows(2).position(|pair| pair == ["policy", "explain"])?;
    let (before, given) = (words.get(1..at + 2)?, words.get(at + 2..)?);
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let start = first_operand(given)?;
    let (options, command) = (given.get(..start)?, given.get(start..)?);
    if command.len() < 2 {
        return None;
    }
    let line: Vec<String> = command.iter().map(|word| quoted_if_needed(word)).collect();
    let front: Vec<String> = before.iter().chain(options).map(|word| quoted_if_needed(word)).collect();
    let copy = format!("onward {} {}", front.join(" "), quoted(&line.join(" ")));
    Some(format!("a command is one word for the shell, so put it in quotes: `{}`", exact(&copy)))
}

/// Where the command begins, behind the options that `policy explain` has.
fn first_operand(words: &[String]) -> Option<usize> {
    let mut at = 0;
    while let Some(word) = words.get(at).filter(|word| word.starts_with('-')) {
        at += match word.as_str() {
            "--mode" | "--sandbox" | "-C" | "--dir" | "--data-dir" => 2,
            "--json" => 1,
            _ if word.starts_with("--mode=") || word.starts_with("--sandbox=") => 1,
            _ => return None,
        };
    }
    (at < words.len()).then_some(at)
}

/// A text in quotes, to be typed as it stands: in double quotes where nothing in it means something to a shell.
fn quoted(text: &str) -> String {
    if text.contains(['"', '$', '`', '\\', '!']) { quoted_whole(text) } else { format!("\"{text}\"") }
}

fn quoted_if_needed(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { quoted_whole(word) }
}

fn quoted_whole(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn is_plain(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+,:@%=".contains(c))
}

/// Whether what is unknown begins like an option.
fn names_an_option(error: &Error) -> bool {
    matches!(error.get(ContextKind::InvalidArg), Some(ContextValue::String(arg)) if arg.starts_with('-'))
}
