//! A plain script as data: commands, and how each is joined to the one before.

use crate::shell::{Redirect, Simple};

/// Something that reads a plain script, or says why it is none.
pub(in crate::shell) type Reader = fn(&str) -> Result<Vec<Step>, String>;

/// One command of a plain script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::shell) struct Step {
    /// How it is joined to the command before it; the first one is [`Join::Then`].
    pub(super) join: Join,
    pub(super) assignments: Vec<(String, String)>,
    pub(super) argv: Vec<String>,
    /// In the order in which they take effect.
    pub(super) connections: Vec<Connection>,
}

/// What stands between two commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Join {
    /// `;` or a line break.
    Then,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
}

/// What a file descriptor of a command is connected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Connection {
    pub(super) descriptor: u8,
    pub(super) to: Target,
}

/// The other end of a [`Connection`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// `< path`
    Read(String),
    /// `> path`
    Write(String),
    /// `>> path`
    Append(String),
    /// `>& n`
    Descriptor(u8),
}

impl Step {
    /// A command without words.
    pub(super) fn new(join: Join) -> Self {
        Self { join, assignments: Vec::new(), argv: Vec::new(), connections: Vec::new() }
    }

    /// The command without its place in the script.
    pub(in crate::shell) fn simple(&self) -> Simple {
        Simple {
            argv: self.argv.clone(),
            redirects: self.connections.iter().filter_map(|connection| connection.to.redirect()).collect(),
            assignments: self.assignments.clone(),
            complete: true,
        }
    }
}

impl Target {
    fn redirect(&self) -> Option<Redirect> {
        match self {
            Self::Read(path) => Some(Redirect { writes: false, path: Some(path.clone()) }),
            Self::Write(path) | Self::Append(path) => {
                Some(Redirect { writes: true, path: Some(path.clone()) })
            }
            Self::Descriptor(_) => None,
        }
    }
}
