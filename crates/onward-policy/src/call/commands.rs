//! A script, as parts: every command, every command inside a wrapper, every redirection.

use std::sync::Arc;

use onward_event::{Digest, Rendered, Risk};
use onward_port::{PlannedCommand, digest};

use super::command::{Command, Surroundings};
use super::operands;
use super::part::{Kind, Part, PathUse, Touch};
use crate::resolve;
use crate::shell::{self, Analysis, Redirect, Simple};

/// Commands of one script that are looked at; a longer script counts as not understood.
const MAX_COMMANDS: usize = 256;
/// Folders that a script may be in.
const MAX_DIRS: usize = 8;
/// Targets of redirections that are no files.
const NO_FILES: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero"];

/// What a script is.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// Why it is not understood to the last word; `None`: it is.
    pub(crate) opaque: Option<String>,
    /// What runs in place of its text.
    pub(crate) rendered: Option<Rendered>,
    /// Over its text and where it runs: by this it can be allowed all the same.
    pub(crate) digest: Digest,
    /// Its text.
    pub(crate) text: String,
}

/// Takes a script apart.
pub(super) fn parts(planned: &PlannedCommand) -> (Vec<Part>, Script) {
    let (commands, rendered, mut opaque) = match shell::analyse(&planned.script) {
        Analysis::Plain(commands, rendered) => (commands, Some(rendered), None),
        Analysis::Opaque { commands, why } => (commands, None, Some(why)),
    };
    let mut reader = Reader { planned, dirs: vec![planned.dir.clone()], parts: Vec::new() };
    for command in commands.iter().take(MAX_COMMANDS) {
        reader.outer(command);
    }
    if commands.len() > MAX_COMMANDS || reader.parts.len() > 4 * MAX_COMMANDS {
        opaque = Some(format!("it has more than {MAX_COMMANDS} commands"));
    } else if reader.dirs.len() > MAX_DIRS {
        opaque = Some("it changes its folder too often to follow".into());
    } else if reader.parts.is_empty() {
        opaque = opaque.or(Some("no command was found in it".into()));
    }
    let mut parts = reader.parts;
    let script = Script {
        rendered: if opaque.is_some() { None } else { rendered },
        digest: script_digest(&planned.script),
        text: planned.script.clone(),
        opaque,
    };
    if let Some(why) = &script.opaque {
        close(&mut parts, why);
    }
    (parts, script)
}

/// What a grant for a script that cannot be taken apart is bound to.
pub(crate) fn script_digest(script: &str) -> Digest {
    digest(script.as_bytes())
}

/// What was found in a script that is not understood is not all of it.
fn close(parts: &mut Vec<Part>, why: &str) {
    let mut worst = Risk::Shell;
    for part in parts.iter_mut() {
        part.in_opaque = true;
        worst = worst.max(part.risk());
    }
    parts.push(Part {
        kind: Kind::Opaque,
        risks: vec![worst],
        command: None,
        touches: Vec::new(),
        in_opaque: false,
        shown: format!("run a script that cannot be taken apart: {why}"),
    });
}

struct Reader<'a> {
    planned: &'a PlannedCommand,
    /// Where the script may be: `cd` in it adds a folder, and takes none away, because which of its commands run is not
    /// known.
    dirs: Vec<String>,
    parts: Vec<Part>,
}

impl Reader<'_> {
    fn outer(&mut self, simple: &Simple) {
        self.command(simple);
        for inner in shell::unwrap(simple).commands.iter().filter(|inner| inner.argv != simple.argv) {
            self.command(inner);
        }
        self.follow(simple);
    }

    fn command(&mut self, simple: &Simple) {
        let surroundings = Surroundings { dir: &self.planned.dir, search: &self.planned.path };
        let command = Arc::new(Command::new(simple, &surroundings));
        let words = simple.argv.get(1..).unwrap_or_default();
        if !simple.argv.is_empty() || !simple.assignments.is_empty() {
            self.parts.push(Part {
                kind: Kind::Command,
                risks: command.risks.clone(),
                touches: operands::of(words, &self.dirs),
                in_opaque: false,
                shown: command.shown(),
                command: Some(Arc::clone(&command)),
            });
        }
        for redirect in &simple.redirects {
            self.redirect(redirect, &command);
        }
    }

    fn redirect(&mut self, redirect: &Redirect, command: &Arc<Command>) {
        if redirect.path.as_deref().is_some_and(|path| NO_FILES.contains(&path)) {
            return;
        }
        let how = if redirect.writes { PathUse::Write } else { PathUse::Read };
        let touches = match &redirect.path {
            // Unknown: no *allow* covers it.
            None => Vec::new(),
            Some(path) => self.dirs.iter().map(|dir| Touch { how, path: resolve::path(path, dir) }).collect(),
        };
        let sign = if redirect.writes { ">" } else { "<" };
        self.parts.push(Part {
            kind: if redirect.writes { Kind::Write } else { Kind::Read },
            risks: vec![if redirect.writes { Risk::Write } else { Risk::Read }],
            command: Some(Arc::clone(command)),
            touches,
            in_opaque: false,
            shown: format!(
                "{} {sign} {}",
                command.shown(),
                redirect.path.as_deref().unwrap_or("a file that is not known")
            ),
        });
    }

    /// Where the script may be from here on.
    fn follow(&mut self, simple: &Simple) {
        let name = simple.argv.first().map_or("", String::as_str);
        if !matches!(name, "cd" | "pushd" | "popd") {
            return;
        }
        let target = simple.argv.iter().skip(1).find(|word| !word.starts_with('-') || word.len() == 1);
        let here = self.dirs.clone();
        for dir in here {
            // Without a folder it goes home, and with `-` back to where it was: neither is known, both are outside.
            let to = match target.map(String::as_str) {
                None | Some("-") if name != "popd" => "/".to_owned(),
                None => dir.clone(),
                Some(word) => resolve::path(word, &dir).real,
            };
            if !self.dirs.contains(&to) && self.dirs.len() <= MAX_DIRS {
                self.dirs.push(to);
            }
        }
    }
}
