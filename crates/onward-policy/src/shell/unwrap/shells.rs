//! Shells, and the builtins that run text.

use super::step::Step;
use crate::shell::options::{Options, Parsed};

const SHELL: Options = Options {
    flags: "abcefhiklmnpstuvxBCEHPTD",
    valued: "oO",
    long: "norc noprofile posix login noediting verbose restricted no-rcs",
    long_valued: "",
};

/// What a shell with these arguments runs.
pub(super) fn shell(arguments: &[String]) -> Step {
    // It reads the file and runs nothing of it. `+n` would take that back.
    if let [option, file, ..] = arguments
        && option == "-n"
        && !file.starts_with(['-', '+'])
    {
        return Step::nothing();
    }
    // `+x` turns an option off, and stands among the others.
    let arguments = arguments.iter().map(|word| match word.strip_prefix('+') {
        Some(letters) if !letters.is_empty() => format!("-{letters}"),
        _ => word.clone(),
    });
    let arguments = arguments.collect::<Vec<_>>();
    let Some((options, count)) = SHELL.leading(&arguments) else {
        return scripts(&arguments).and(Step::guesses(&arguments));
    };
    let takes_script = options.iter().any(|option| matches!(option, Parsed::Option { name: "c", .. }));
    match arguments.get(count) {
        Some(script) if takes_script => Step::script(script),
        // A file or standard input.
        _ => Step::unknown(),
    }
}

/// Where the options are not understood any argument may be the script.
fn scripts(arguments: &[String]) -> Step {
    let scripts = arguments.iter().filter(|word| word.contains([' ', ';', '\n'])).take(4);
    scripts.fold(Step::unknown(), |step, script| step.and(Step::script(script)))
}

/// What a builtin runs, if it is one that runs text or files.
pub(super) fn builtin(name: &str, arguments: &[String]) -> Option<Step> {
    let step = match name {
        "eval" => Step::script(&arguments.join(" ")),
        "trap" => arguments.first().map_or_else(Step::nothing, |action| Step::script(action)),
        "alias" => {
            let values = arguments.iter().filter_map(|word| word.split_once('=')).take(4);
            values.fold(Step::unknown(), |step, (_, value)| step.and(Step::script(value)))
        }
        "." | "source" | "fc" | "bind" | "complete" | "enable" | "mapfile" | "readarray" => Step::unknown(),
        "hash" | "emulate" | "zmodload" | "autoload" => Step::unknown(),
        _ => return None,
    };
    Some(step)
}
