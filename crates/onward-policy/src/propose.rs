//! What "always" would save: the text of one or more grants, as they would stand in the person's file.
//!
//! Modest on purpose. A command is granted word for word, in this workspace, for the file that its name finds today. Only
//! for programs that test, build and format, of a short list, do words after the subcommand not matter.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use onward_event::{FileState, Verdict};

use crate::call::{Call, Command, Kind, Part};
use crate::escapes;
use crate::files;
use crate::globs::below;
use crate::judge::{Asks, Because, Judged};
use crate::resolve;

/// Programs and subcommands whose further words do not matter.
const GENERAL: &[(&str, &[&str])] = &[
    ("cargo", &["bench", "build", "check", "clippy", "doc", "fmt", "nextest", "test"]),
    ("go", &["build", "fmt", "test", "vet"]),
    ("npm", &["test"]),
    ("pnpm", &["test"]),
    ("yarn", &["test"]),
];
/// Programs that run the file that is their first operand.
const INTERPRETERS: &[&str] =
    &["sh", "bash", "dash", "zsh", "python", "python3", "node", "deno", "bun", "perl", "ruby", "php", "lua"];
/// Bytes of a proposal; a longer one would be signed unread.
const MAX_BYTES: usize = 8 << 10;

/// The grants for everything that is asked here; `None`: at least one thing cannot be granted for good.
pub(crate) fn always(call: &Call<'_>, deciding: &[&Judged<'_>]) -> Option<String> {
    let mut blocks: Vec<String> = Vec::new();
    for judged in deciding.iter().filter(|judged| judged.verdict == Verdict::Ask) {
        let Because::Asked(asks) = &judged.because else { return None };
        let block = block(call, judged, asks)?;
        if !blocks.contains(&block) {
            blocks.push(block);
        }
    }
    let text = blocks.join("\n");
    (!text.is_empty() && text.len() <= MAX_BYTES).then_some(text)
}

fn block(call: &Call<'_>, judged: &Judged<'_>, asks: &Asks<'_>) -> Option<String> {
    let part = judged.part;
    if !asks.may_be_granted() {
        return None;
    }
    let mut text =
        format!("[[grant]]\nanswers = {}\ntool = {}\n", list(&asks.ids()), quote(call.request.tool));
    // Writing to a String cannot fail.
    let _ = writeln!(text, "version = {}", quote(call.request.version));
    let _ = writeln!(text, "definition = \"blake3:{}\"", call.request.definition);
    let _ = writeln!(text, "workspace = {}", quote(&call.request.workspace.root));
    subject(&mut text, call, part)?;
    let _ = writeln!(text, "rules = \"{}\"", asks.digest());
    if part.command.is_some() || part.kind == Kind::Opaque {
        let sandbox = if call.contained { "workspace-write" } else { "none" };
        let _ = writeln!(text, "sandbox = \"{sandbox}\"");
        if judged.reach.network() {
            let _ = writeln!(text, "net = [\"*\"]");
        }
    }
    Some(text)
}

fn subject(text: &mut String, call: &Call<'_>, part: &Part) -> Option<()> {
    match part.kind {
        Kind::Command => command(text, call, part.command.as_ref()?, part),
        Kind::Opaque => whole(text, call, BTreeSet::new()),
        Kind::Write => {
            let [touch] = part.touches.as_slice() else {
                return whole(text, call, BTreeSet::new());
            };
            let _ = writeln!(text, "write = {}", quote(&touch.path.real));
            Some(())
        }
        Kind::Tool => (!part.touches.iter().any(|touch| !call.place.holds(touch))).then_some(()),
        Kind::Read => None,
    }
}

/// Nothing less than the whole text: what one command of it does depends on the others. With it the files that it
/// mentions, as they are.
fn whole(text: &mut String, call: &Call<'_>, mut runs: BTreeSet<String>) -> Option<()> {
    let script = call.script.as_ref()?;
    folder(text, call, &call.folder()?)?;
    let _ = writeln!(text, "text = \"blake3:{}\"", script.digest);
    // The digest is what counts; this is for whoever asks in a year what it was.
    let _ = writeln!(text, "command = {}", quote(&script.shown));
    runs.extend(files::mentioned(call));
    bind(text, &runs);
    Some(())
}

/// Names the folder, unless it is the workspace itself. None outside of it can be named.
fn folder(text: &mut String, call: &Call<'_>, folder: &str) -> Option<()> {
    let root = resolve::path(".", &call.request.workspace.root).real;
    match below(folder, &root)? {
        "" => {}
        inside => {
            let _ = writeln!(text, "dir = {}", quote(inside.trim_start_matches('/')));
        }
    }
    Some(())
}

fn bind(text: &mut String, files: &BTreeSet<String>) {
    let items: Vec<String> = files.iter().filter_map(|path| file(&files::state(path))).collect();
    if !items.is_empty() {
        let _ = writeln!(text, "files = [{}]", items.join(", "));
    }
}

fn command(text: &mut String, call: &Call<'_>, command: &Command, part: &Part) -> Option<()> {
    // A word that a pattern gives a meaning cannot be written down as itself.
    let special = command.argv.iter().any(|word| word == "...");
    if command.argv.is_empty() || command.program.borrowed {
        return None;
    }
    // Nor one folder for a command that may run in several.
    let [there] = part.folders.as_slice() else { return whole(text, call, scripts(call, command, part)) };
    if command.known && !special {
        folder(text, call, there)?;
        let _ = writeln!(text, "argv = {}", list(&generalised(&command.argv)));
        if let Some(program) = &command.program.real {
            let _ = writeln!(text, "program = {}", quote(program));
        }
        bind(text, &scripts(call, command, part));
        Some(())
    } else {
        whole(text, call, scripts(call, command, part))
    }
}

/// The words; or program, subcommand and `...`.
fn generalised(argv: &[String]) -> Vec<String> {
    let [program, subcommand, rest @ ..] = argv else { return argv.to_vec() };
    let general = GENERAL.iter().any(|(name, known)| name == program && known.contains(&subcommand.as_str()));
    if !general || rest.iter().any(|word| escapes::is_escape(program, word)) {
        return argv.to_vec();
    }
    vec![program.clone(), subcommand.clone(), "...".to_owned()]
}

/// The files of the work that the command executes: were they changed, it would be another command.
fn scripts(call: &Call<'_>, command: &Command, part: &Part) -> BTreeSet<String> {
    let root = &call.request.workspace.root;
    let name = command.argv.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
    let interprets = INTERPRETERS.contains(&name);
    let program = command.program.real.as_ref();
    let mut runs = files::names(part);
    runs.retain(|path| (interprets || program == Some(path)) && below(path, root).is_some());
    runs.into_iter().collect()
}

fn file(state: &FileState) -> Option<String> {
    let digest = state.digest?;
    Some(format!("{{ path = {}, digest = \"blake3:{digest}\" }}", quote(&state.path)))
}

fn list(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
    format!("[{}]", words.join(", "))
}

/// A TOML string on one line. What cannot be seen, or turns the direction of a line, is written by its number: a person
/// reads this before it is saved.
fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '…' => out.push(c),
            c if c == ' ' || c.is_alphanumeric() || c.is_ascii_punctuation() => out.push(c),
            c => {
                let _ = write!(out, "\\U{:08X}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}
