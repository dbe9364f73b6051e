//! `git`, which runs commands for a dozen of its options.

use super::step::Step;
use crate::shell::options::{Options, Parsed};
use crate::shell::{Redirect, Simple};

const GLOBAL: Options = Options {
    flags: "pP",
    valued: "Cc",
    long: "paginate no-pager no-replace-objects bare literal-pathspecs glob-pathspecs noglob-pathspecs \
           icase-pathspecs no-optional-locks exec-path version help html-path man-path info-path",
    long_valued: "git-dir work-tree namespace super-prefix config-env attr-source list-cmds",
};

/// Options of the commands of git that name a program to run.
const RUNNING: &[&str] = &[
    "--ext-diff",
    "--textconv",
    "--open-files-in-pager",
    "--upload-pack",
    "--receive-pack",
    "--exec",
    "--extcmd",
    "--tool",
    "--gpg-sign",
    "--config",
    "--template",
    "--editor",
    "--run",
    "--cmd",
];

/// What `git` with these arguments runs and writes beside itself.
pub(super) fn step(arguments: &[String]) -> Step {
    let Some((options, count)) = GLOBAL.leading(arguments) else { return Step::guesses(arguments) };
    let rest = arguments.get(count..).unwrap_or_default();
    let mut step = subcommand(rest);
    for option in &options {
        step = step.and(global(option, rest));
    }
    if count > 0 && !rest.is_empty() {
        // The same without its options, so that a rule about `git push` covers `git -C folder push`.
        let argv = ["git".to_owned()].into_iter().chain(rest.iter().cloned()).collect();
        step.inner.insert(0, Simple { argv, complete: true, ..Simple::default() });
    }
    step
}

fn global(option: &Parsed<'_>, rest: &[String]) -> Step {
    match option {
        Parsed::Option { name: "c", value: Some(setting) } => match setting.split_once('=') {
            Some((key, value)) if key.to_ascii_lowercase().starts_with("alias.") => alias(value, rest),
            // Any other may name a program: a pager, an editor, a hook, a helper.
            _ => Step::unknown(),
        },
        Parsed::Option { name: "exec-path", value: Some(_) } => Step::unknown(),
        Parsed::Option { name: "config-env" | "git-dir" | "p" | "paginate", .. } => Step::unknown(),
        Parsed::Unknown => Step::unknown(),
        _ => Step::nothing(),
    }
}

fn alias(value: &str, rest: &[String]) -> Step {
    let arguments = rest.get(1..).unwrap_or_default().join(" ");
    let script = match value.strip_prefix('!') {
        Some(command) => format!("{command} {arguments}"),
        None => format!("git {value} {arguments}"),
    };
    Step::script(&script).and(Step::unknown())
}

fn subcommand(rest: &[String]) -> Step {
    let Some((name, arguments)) = rest.split_first() else { return Step::nothing() };
    let mut step = options(name, arguments);
    let second = arguments.first().map(String::as_str);
    let after = arguments.get(1..).unwrap_or_default();
    match (name.as_str(), second) {
        ("bisect", Some("run")) => step = step.and(Step::command(after, Vec::new())),
        ("submodule", _) => {
            if let Some(at) = arguments.iter().position(|word| word == "foreach") {
                let words = arguments.get(at + 1..).unwrap_or_default();
                let script = words.iter().filter(|word| !word.starts_with("--")).cloned().collect::<Vec<_>>();
                step = step.and(Step::script(&script.join(" "))).and(Step::unknown());
            }
        }
        ("filter-branch" | "difftool" | "mergetool" | "web--browse" | "instaweb" | "daemon" | "shell", _) => {
            step.unknown = true;
        }
        ("grep", _) if arguments.iter().any(|word| word.starts_with("-O")) => step.unknown = true,
        _ => {}
    }
    step
}

fn options(name: &str, arguments: &[String]) -> Step {
    let mut step = Step::nothing();
    let mut words = arguments.iter().take_while(|word| *word != "--").peekable();
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let runs = name == "rebase" && (option == "--exec" || option.starts_with("-x"));
        if runs {
            let attached = option.strip_prefix("-x").filter(|rest| !rest.is_empty()).map(str::to_owned);
            let script = value.or(attached).or_else(|| words.peek().map(|next| (*next).clone()));
            step = step.and(script.map_or_else(Step::unknown, |script| Step::script(&script)));
        } else if is_abbreviation(option, "--output") && !option.starts_with("--output-") {
            let path = value.or_else(|| words.peek().map(|next| (*next).clone()));
            step.redirects.push(Redirect { writes: true, path });
        } else if RUNNING.iter().any(|running| is_abbreviation(option, running)) {
            step.unknown = true;
        }
    }
    step
}

/// git takes a long option by any start of its name that is clear; from four letters on one counts.
fn is_abbreviation(option: &str, name: &str) -> bool {
    option == name || option.len() >= 6 && name.starts_with(option)
}
