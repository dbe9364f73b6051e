//! What is known about one command.

use onward_event::Risk;

use super::risk;
use crate::resolve::{self, Program};
use crate::shell::{self, Simple};
use crate::wild::is_wild;

/// Variables that may be set for a command without changing what it is.
const HARMLESS_VARIABLES: &[&str] = &[
    "CARGO_TERM_COLOR",
    "CI",
    "COLUMNS",
    "DEBUG",
    "FORCE_COLOR",
    "LANG",
    "LC_ALL",
    "NODE_ENV",
    "NO_COLOR",
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONUNBUFFERED",
    "RUST_BACKTRACE",
    "RUST_LOG",
    "TERM",
    "TZ",
];

/// A command of a script.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    /// Its words.
    pub(crate) argv: Vec<String>,
    /// Whether these are all of them, and nothing that they run is hidden: only then can it be allowed.
    pub(crate) known: bool,
    /// Whether these are all of them.
    pub(crate) complete: bool,
    /// Its program.
    pub(crate) program: Program,
    /// Where programs are looked for.
    pub(crate) search: Vec<String>,
    /// Where it runs.
    pub(crate) dir: String,
    /// Whether it is on the short list of those that only look.
    pub(crate) harmless: bool,
    /// The same, if those of its words that are not known are names of files.
    pub(crate) seems_harmless: bool,
    /// Whether it only runs others, all of which were found.
    pub(crate) wraps: bool,
    /// How dangerous it is, in every way that it is.
    pub(crate) risks: Vec<Risk>,
}

impl Command {
    /// Looks at a command, and for its program on the disk.
    pub(super) fn new(simple: &Simple, surroundings: &Surroundings<'_>) -> Self {
        let inner = shell::unwrap(simple);
        // Its redirections are parts of their own, and its variables are looked at here.
        let bare = Simple { redirects: Vec::new(), assignments: Vec::new(), ..simple.clone() };
        let name = simple.argv.first().map_or("", String::as_str);
        let plain_variables =
            simple.assignments.iter().all(|(name, _)| HARMLESS_VARIABLES.contains(&name.as_str()));
        let seeming = Simple { complete: true, ..bare.clone() };
        Self {
            known: simple.complete && plain_variables && inner.complete,
            complete: simple.complete,
            program: resolve::program(name, surroundings.dir, surroundings.search),
            search: surroundings.search.to_vec(),
            dir: surroundings.dir.to_owned(),
            harmless: plain_variables && (shell::harmless(&bare) || changes_folder(simple)),
            seems_harmless: plain_variables && shell::harmless(&seeming),
            wraps: inner.complete && inner.commands.len() > 1,
            risks: risk::of(&simple.argv),
            argv: simple.argv.clone(),
        }
    }

    /// Whether a word of an *allow* names this command's program: the same word for what the search path finds outside
    /// of the workspace, or another spelling of the same file.
    pub(crate) fn is_surely(&self, word: &str, workspace: &str) -> bool {
        if self.program.borrowed {
            return false;
        }
        let Some(real) = &self.program.real else {
            // Nothing to run, or a word of the shell itself.
            return word == self.program.word && !word.contains('/');
        };
        if word.contains('/') {
            return resolve::path(word, workspace).real == *real;
        }
        let in_workspace = crate::globs::below(real, workspace).is_some();
        let found = || resolve::look_up(word, &self.dir, &self.search).as_ref() == Some(real);
        !in_workspace && (word == self.program.word || self.program.word.contains('/') && found())
    }

    /// Whether a word of an *ask* or *deny* may name this command's program: by any of its names.
    pub(crate) fn is_possibly(&self, word: &str, workspace: &str) -> bool {
        if word == self.program.word || word == base(&self.program.word) {
            return true;
        }
        let Some(real) = &self.program.real else { return false };
        if word.contains('/') {
            return resolve::path(word, workspace).real == *real;
        }
        word == base(real) || resolve::look_up(word, &self.dir, &self.search).as_ref() == Some(real)
    }

    /// Whether it is known to speak to other machines.
    pub(crate) fn speaks(&self) -> bool {
        self.risks.contains(&Risk::Network)
    }

    /// Its words that stand for names of files, and the values of options that do.
    pub(crate) fn wild_words(&self) -> impl Iterator<Item = &str> {
        let words = self.argv.iter().skip(1).map(String::as_str);
        words.map(|word| word.split_once('=').map_or(word, |(_, value)| value)).filter(|word| is_wild(word))
    }

    /// For people: its words, as a shell would need them.
    pub(crate) fn shown(&self) -> String {
        let rest = if self.complete { "" } else { " …" };
        let words: Vec<String> = self.argv.iter().map(|word| quoted(word)).collect();
        format!("{}{rest}", words.join(" "))
    }
}

/// Where a command runs.
pub(super) struct Surroundings<'a> {
    /// The folder.
    pub(super) dir: &'a str,
    /// Where programs are looked for.
    pub(super) search: &'a [String],
}

/// Going to another folder changes nothing; where commands behind it are, their parts take into account.
fn changes_folder(simple: &Simple) -> bool {
    simple.complete && simple.argv.len() <= 2 && simple.argv.first().is_some_and(|name| name == "cd")
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@+%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.escape_debug().to_string().replace('\'', "'\\''"))
}
