//! What one layer of wrapping was found to hold.

use crate::shell::{Analysis, Redirect, Simple, analyse, limits};

/// The commands directly inside one command.
#[derive(Debug, Default)]
pub(super) struct Step {
    pub(super) inner: Vec<Simple>,
    /// Files that the command itself writes by its arguments.
    pub(super) redirects: Vec<Redirect>,
    /// Something that it runs is not known.
    pub(super) unknown: bool,
}

impl Step {
    /// A command that runs nothing else.
    pub(super) fn nothing() -> Self {
        Self::default()
    }

    /// A command that runs something else that is not known.
    pub(super) fn unknown() -> Self {
        Self { unknown: true, ..Self::default() }
    }

    /// A command whose last words are another one.
    pub(super) fn command(argv: &[String], assignments: Vec<(String, String)>) -> Self {
        let inner = if argv.is_empty() && assignments.is_empty() {
            Vec::new()
        } else {
            vec![Simple { argv: argv.to_vec(), assignments, complete: true, ..Simple::default() }]
        };
        Self { inner, ..Self::default() }
    }

    /// A command that gives `script` to a shell.
    pub(super) fn script(script: &str) -> Self {
        match analyse(script) {
            Analysis::Plain(inner, _) => Self { inner, ..Self::default() },
            Analysis::Opaque { commands, .. } => Self { inner: commands, unknown: true, ..Self::default() },
        }
    }

    /// A wrapper that was not understood: a command may start at any of the words, so all are tried.
    pub(super) fn guesses(arguments: &[String]) -> Self {
        let starts =
            (0..arguments.len()).filter(|&at| !arguments.get(at).is_some_and(|w| w.starts_with('-')));
        let commands = starts
            .take(limits::GUESSES)
            .map(|at| Simple { argv: arguments.get(at..).unwrap_or_default().to_vec(), ..Simple::default() });
        Self { inner: commands.collect(), unknown: true, ..Self::default() }
    }

    /// Both of two.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.inner.extend(other.inner);
        self.redirects.extend(other.redirects);
        self.unknown |= other.unknown;
        self
    }
}
