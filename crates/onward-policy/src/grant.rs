//! Grants: what "always" saved. A grant is no rule. It answers the *ask* of the rules that it names, for exactly what it
//! describes, as long as those rules say what they said; never a denial, nor a mode's ceiling.

use onward_event::{Digest, FileState, Timestamp};

use crate::call::{Call, Kind, Part};
use crate::files;
use crate::layer::Origin;
use crate::pattern::ArgvPattern;
use crate::resolve;
use crate::rule::RuleSandbox;

/// A saved answer.
#[derive(Clone, Debug)]
pub struct Grant {
    /// Made from what it says: recorded with the decisions that it made.
    pub id: String,
    /// Where it stands.
    pub origin: Origin,
    /// The asks that it answers.
    pub answers: Vec<String>,
    /// Over what those that ask say; `None`: whatever they say.
    pub rules: Option<Digest>,
    /// The tool.
    pub tool: String,
    /// The tool's version; `None`: any.
    pub version: Option<String>,
    /// Over what the tool takes; `None`: whatever that is.
    pub definition: Option<Digest>,
    /// The workspace; `None`: any.
    pub workspace: Option<String>,
    /// The folder that a command runs in, from the workspace on; `None`: the workspace itself.
    pub dir: Option<String>,
    /// What it is about.
    pub subject: GrantSubject,
    /// The script that it was saved for, for people; it decides nothing.
    pub command: Option<String>,
    /// What it runs in.
    pub sandbox: RuleSandbox,
    /// Whether it may reach the network.
    pub network: bool,
    /// Files that must be as they were.
    pub files: Vec<FileState>,
    /// After this it answers nothing; `None`: it has no end.
    pub valid_until: Option<Timestamp>,
}

/// What a grant is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GrantSubject {
    /// Commands, and the file that the program must be.
    Command {
        /// The words.
        argv: ArgvPattern,
        /// The program, links followed; `None`: whichever the name finds.
        program: Option<String>,
    },
    /// All of one script, by the digest of its text.
    Text(Digest),
    /// One file that is changed, links followed.
    Write(String),
    /// The tool's calls that name neither files nor commands.
    Tool,
}

impl Grant {
    /// Whether its time is over.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.valid_until.is_some_and(|until| now > until)
    }

    /// Whether it is about this part, wherever and whenever it is asked.
    pub(crate) fn is_about(&self, part: &Part, call: &Call<'_>) -> bool {
        let request = call.request;
        let runs = part.command.is_some() || part.kind == Kind::Opaque;
        self.tool == request.tool
            && self.version.as_ref().is_none_or(|version| version == request.version)
            && self.definition.is_none_or(|definition| definition == request.definition)
            && self.workspace.as_ref().is_none_or(|workspace| *workspace == request.workspace.root)
            && (!runs || call.contained || self.sandbox == RuleSandbox::Uncontained)
            && self.is_in_folder(part, call)
            && self.subject.is(part, call)
            && self.files.iter().all(|file| files::state(&file.path) == *file)
    }

    /// The same words do something else in another folder.
    fn is_in_folder(&self, part: &Part, call: &Call<'_>) -> bool {
        let folder = || resolve::path(self.dir.as_deref().unwrap_or("."), &call.request.workspace.root).real;
        match self.subject {
            GrantSubject::Command { .. } if part.kind == Kind::Command => {
                let folder = folder();
                !part.folders.is_empty() && part.folders.iter().all(|there| *there == folder)
            }
            GrantSubject::Text(_) => call.folder().is_some_and(|there| there == folder()),
            _ => true,
        }
    }

    /// All that it says, without its place.
    pub(crate) fn text(&self) -> String {
        let Self { id: _, origin, answers, rules, tool, workspace, subject, sandbox, network, .. } = self;
        let Self { files, valid_until, version, definition, dir, command: _, .. } = self;
        // One that says nothing of these says what it said before grants did: its id stays.
        let mut end = valid_until.map_or_else(String::new, |until| format!(" until {}", until.0));
        if version.is_some() || definition.is_some() || dir.is_some() {
            end.push_str(&format!(" for {version:?} {definition:?} {dir:?}"));
        }
        format!(
            "{:?} {answers:?} {rules:?} {tool} {workspace:?} {subject:?} {sandbox:?} {network} {files:?}{end}",
            origin.layer
        )
    }
}

impl GrantSubject {
    fn is(&self, part: &Part, call: &Call<'_>) -> bool {
        match (self, part.kind) {
            (Self::Command { argv, program }, Kind::Command) => {
                let Some(command) = &part.command else { return false };
                let same_program = match program {
                    None => true,
                    Some(path) => command.program.real.as_ref() == Some(path) && !command.program.borrowed,
                };
                let root = &call.request.workspace.root;
                let named = |word: &str| {
                    command.is_surely(word, root) || program.is_some() && word == command.program.word
                };
                command.known && same_program && argv.covers(&command.argv, named)
            }
            (Self::Text(digest), _) => call.script.as_ref().is_some_and(|script| script.digest == *digest),
            (Self::Write(path), Kind::Write) => {
                let real = resolve::path(path, &call.request.workspace.root).real;
                part.touches.iter().all(|touch| touch.path.real == real)
            }
            (Self::Tool, Kind::Tool) => true,
            (Self::Command { .. } | Self::Write(_) | Self::Tool, _) => false,
        }
    }
}
