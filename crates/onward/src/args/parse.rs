//! From words to an [`Invocation`].

use std::ffi::OsString;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{CommandFactory as _, FromArgMatches as _};
use onward_event::{JobsAtEnd, Mode};
use onward_wire::terminal::exact;

use super::top::Top;
use super::{Invocation, hint};
use crate::config::{MODES, jobs_rule_named, mode_named};
use crate::exit::ExitCode;

/// Understands a command line; the first word is the program.
///
/// # Errors
/// What to show instead, from clap: an error, or the help or version that was asked for. Its exit code is 2 or 0.
pub(crate) fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Invocation, clap::Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    let matches = command().try_get_matches_from(&words).map_err(|error| about(error, &words))?;
    let top = Top::from_arg_matches(&matches).map_err(|error| error.format(&mut command()))?;
    Invocation::from_top(top).map_err(|idle| command().error(ErrorKind::ArgumentConflict, idle))
}

/// The error, with advice. It repeats what was typed, and clap leaves out what it takes for colours; so it is asked again
/// about words in which everything can be seen.
fn about(error: clap::Error, words: &[OsString]) -> clap::Error {
    let safe: Vec<String> = words.iter().map(|word| exact(&word.to_string_lossy())).collect();
    let error = command().try_get_matches_from(&safe).err().unwrap_or(error);
    hint::with_hint(error, &safe)
}

/// The command line's definition: for parsing, help, completions and the manual.
pub(super) fn command() -> clap::Command {
    // Usage would repeat the name by which the program was called, whatever that is.
    Top::command().bin_name("onward").after_help(after_help())
}

/// Reads a mode by its name.
pub(super) fn mode() -> impl TypedValueParser<Value = Mode> {
    PossibleValuesParser::new(MODES.map(Mode::name))
        .try_map(|name| mode_named(&name).ok_or_else(|| format!("`{name}` is no mode")))
}

/// Reads a mode by its name, the one too that only an option sets: to ask what would be.
pub(super) fn any_mode() -> impl TypedValueParser<Value = Mode> {
    let names = MODES.map(Mode::name).into_iter().chain([Mode::Bypass.name()]);
    PossibleValuesParser::new(names).try_map(|name| match mode_named(&name) {
        Some(mode) => Ok(mode),
        None if name == Mode::Bypass.name() => Ok(Mode::Bypass),
        None => Err(format!("`{name}` is no mode")),
    })
}

/// Reads what becomes of jobs.
pub(super) fn jobs_at_end() -> impl TypedValueParser<Value = JobsAtEnd> {
    PossibleValuesParser::new(JobsAtEnd::ALL.map(JobsAtEnd::name))
        .try_map(|name| jobs_rule_named(&name).ok_or_else(|| format!("`{name}` is none of them")))
}

fn after_help() -> String {
    let codes = ExitCode::ALL.map(|code| format!("  {:>3}  {}\n", code.number(), code.meaning()));
    format!(
        "Exit codes:\n{}\n\
         Shell commands run in a sandbox (`onward doctor` explains which). What is asked about first follows\n\
         rules (`onward policy list`).\n\n\
         Examples:\n  \
         onward                                   a conversation in this folder\n  \
         onward -p \"fix the failing test\"         one task, and end\n  \
         onward resume                            go on where it stopped\n  \
         onward demo --crash                      see a crash and the recovery, without a key",
        codes.concat()
    )
}
