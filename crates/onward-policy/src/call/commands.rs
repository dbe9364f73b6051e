//! A script, as parts: every command, every command inside a wrapper, every redirection.

use std::sync::Arc;

use onward_event::{Digest, Rendered, Risk};
use onward_port::{PlannedCommand, digest};

use super::command::{Command, Surroundings};
use super::operands;
use super::part::{Kind, Part, PathUse, Touch};
use crate::resolve;
use crate::shell::{self, Analysis, Redirect, Simple};

/// Commands of a script that is understood. One with more is asked about as a whole; each of its commands is held against
/// the rules all the same, because padding must not hide the last of them from a denial. The length of a script bounds
/// their number.
const MAX_COMMANDS: usize = 256;
/// Characters of a script that a grant repeats.
const MAX_SHOWN_CHARS: usize = 1_000;
/// Folders that a script that is understood may be in.
const MAX_DIRS: usize = 4;
/// Targets of redirections that are no files.
const NO_FILES: &[&str] = &["/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero"];

/// What a script is.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// Why it is not understood to the last word; `None`: it is.
    pub(crate) opaque: Option<String>,
    /// What runs in place of its text.
    pub(crate) rendered: Option<Rendered>,
    /// Over its text: by this a grant can name it all the same.
    pub(crate) digest: Digest,
    /// The text for people, cut if it is long.
    pub(crate) shown: String,
}

/// Takes a script apart.
pub(super) fn parts(planned: &PlannedCommand) -> (Vec<Part>, Script) {
    let (commands, rendered, mut opaque) = match shell::analyse(&planned.script) {
        Analysis::Plain(commands, rendered) => (commands, Some(rendered), None),
        Analysis::Opaque { commands, why } => (commands, None, Some(why)),
    };
    let mut reader = Reader { planned, dirs: vec![planned.dir.clone()], parts: Vec::new() };
    for command in &commands {
        reader.outer(command);
    }
    if reader.parts.len() > MAX_COMMANDS {
        opaque = Some(format!("it has more than {MAX_COMMANDS} commands"));
    } else if reader.dirs.len() > MAX_DIRS {
        opaque = Some("it changes its folder too often to follow".into());
    } else if reader.parts.is_empty() {
        opaque = opaque.or(Some("no command was found in it".into()));
    }
    let mut parts = reader.parts;
    let script = Script {
        rendered: if opaque.is_some() { None } else { rendered },
        digest: digest(planned.script.as_bytes()),
        shown: shown(&planned.script),
        opaque,
    };
    if let Some(why) = &script.opaque {
        close(&mut parts, why);
    }
    (parts, script)
}

/// Whether a command may lead those beside and inside of it to another folder: by its name, or by an option that could be
/// one of those for it (`env -C`, `sudo -D`, `find -execdir`).
fn may_move(simple: &Simple) -> bool {
    const LONG: &[&str] = &["chdir", "directory", "work-tree", "working-directory", "wd"];
    let leads = |word: &String| match word.strip_prefix("--") {
        // A long name may be shortened.
        Some(long) => {
            let name = long.split('=').next().unwrap_or(long);
            !name.is_empty() && LONG.iter().any(|known| known.starts_with(name))
        }
        None => {
            word.starts_with('-') && (word.contains(['C', 'D']) || word == "-execdir" || word == "-okdir")
        }
    };
    let mut words = simple.argv.iter();
    words.next().is_some_and(|name| changes_folder(name)) || words.any(leads)
}

fn changes_folder(name: &str) -> bool {
    matches!(name, "cd" | "chdir" | "pushd" | "popd")
}

/// A script as a grant repeats it.
fn shown(script: &str) -> String {
    match script.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((at, _)) => format!("{}…", &script[..at]),
        None => script.to_owned(),
    }
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
        folders: Vec::new(),
        touches: Vec::new(),
        outputs: Vec::new(),
        in_opaque: false,
        shown: format!("the script cannot be taken apart ({why})"),
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
    /// The command, with the files that its arguments make it write, and those inside of it.
    fn outer(&mut self, simple: &Simple) {
        let commands = shell::unwrap(simple).commands;
        let here: Vec<String> = self.dirs.iter().map(|dir| resolve::path(".", dir).real).collect();
        // What a wrapper runs may run anywhere, once something in it can lead elsewhere.
        let anywhere = [here.clone(), vec![String::new()]].concat();
        let moves = commands.iter().any(may_move);
        for (depth, command) in commands.iter().enumerate() {
            self.command(command, if depth > 0 && moves { &anywhere } else { &here });
        }
        self.follow(simple);
    }

    fn command(&mut self, simple: &Simple, folders: &[String]) {
        let surroundings = Surroundings { dir: &self.planned.dir, search: &self.planned.path };
        let command = Arc::new(Command::new(simple, &surroundings));
        let words = simple.argv.get(1..).unwrap_or_default();
        if !simple.argv.is_empty() || !simple.assignments.is_empty() {
            self.parts.push(Part {
                kind: Kind::Command,
                risks: command.risks.clone(),
                folders: folders.to_vec(),
                touches: operands::of(words, &self.dirs),
                outputs: self.resolved(&shell::outputs(simple)),
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
            folders: Vec::new(),
            outputs: touches
                .iter()
                .filter(|touch| touch.how == PathUse::Write)
                .map(|touch| touch.path.real.clone())
                .collect(),
            touches,
            in_opaque: false,
            shown: format!(
                "{} {sign} {}",
                command.shown(),
                redirect.path.as_deref().unwrap_or("a file that is not known")
            ),
        });
    }

    /// Where these words may lead to.
    fn resolved(&self, words: &[&str]) -> Vec<String> {
        let from = |dir: &String| words.iter().map(|word| resolve::path(word, dir).real).collect::<Vec<_>>();
        self.dirs.iter().flat_map(from).collect()
    }

    /// Where the script may be from here on.
    fn follow(&mut self, simple: &Simple) {
        let name = simple.argv.first().map_or("", String::as_str);
        if !changes_folder(name) {
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
