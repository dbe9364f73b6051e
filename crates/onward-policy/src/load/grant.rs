//! One `[[grant]]`, as "always" saves it.

use onward_event::{Digest, FileState, Timestamp};
use toml::Spanned;
use toml::de::DeValue;

use super::fields::{At, Fields};
use super::source::Source;
use super::{argv, paths, rule};
use crate::grant::{Grant, GrantSubject};
use crate::moment;
use crate::rule::RuleSandbox;

/// Before the digits of a digest.
const PREFIX: &str = "blake3:";

/// Reads one grant. `None` when something is wrong with it, which is then noted.
pub(super) fn read(source: &mut Source<'_>, mut fields: Fields<'_>) -> Option<Grant> {
    let before = source.count();
    let origin = source.origin(&fields.at);
    let answers = fields.texts(source, "answers").filter(|answers| !answers.it.is_empty());
    if answers.is_none() {
        source.wrong(
            &fields.at,
            "a grant needs `answers`: the ids of what asks",
            "write answers = [\"shell-ask\"]",
        );
    }
    let tool = fields.needed(source, "tool", "shell");
    let version = fields.text(source, "version");
    let definition = fields.text(source, "definition").and_then(|text| digest(source, &text));
    let workspace = fields.text(source, "workspace");
    let dir = fields.text(source, "dir");
    let subject = subject(source, &mut fields);
    let command = command(source, &mut fields, &subject);
    if let Some(dir) = &dir {
        check_dir(source, dir, &subject);
    }
    let rules = fields.text(source, "rules").and_then(|text| digest(source, &text));
    let sandbox = rule::sandbox(source, &mut fields).unwrap_or(RuleSandbox::WorkspaceWrite);
    let network = rule::network(source, &mut fields);
    let files = fields.value("files").map(|value| files(source, value)).unwrap_or_default();
    let valid_until = fields.value("valid_until").and_then(|value| until(source, value));
    if source.layer.only_tightens() {
        let what = "a project's file cannot grant: it comes with the folder, and can only tighten";
        source.wrong(&fields.at, what, "move the grant to your own file");
    }
    fields.finish(source);
    if source.count() != before {
        return None;
    }
    let mut grant = Grant {
        id: String::new(),
        origin,
        answers: answers?.it.into_iter().map(|answer| answer.it).collect(),
        rules,
        tool: tool?.it,
        version: version.map(|version| version.it),
        definition,
        workspace: workspace.map(|workspace| workspace.it),
        dir: dir.map(|dir| dir.it),
        subject,
        command,
        sandbox,
        network,
        files,
        valid_until,
    };
    grant.id = format!("grant-{}", onward_port::digest(grant.text().as_bytes()).short());
    Some(grant)
}

fn subject(source: &mut Source<'_>, fields: &mut Fields<'_>) -> GrantSubject {
    let argv = argv::pattern(source, fields);
    let program = fields.text(source, "program");
    if let Some(program) = &program {
        paths::program(source, program);
    }
    let text = fields.text(source, "text");
    let write = fields.text(source, "write");
    let named = [argv.is_some(), text.is_some(), write.is_some()].into_iter().filter(|named| *named).count();
    if named > 1 {
        let what = "a grant is about one thing: `argv`, `text` or `write`";
        source.wrong(&fields.at, what, "write a grant for each");
    }
    let text = text.and_then(|text| digest(source, &text));
    match (argv, text, write) {
        (Some(argv), ..) => GrantSubject::Command { argv, program: program.map(|program| program.it) },
        (None, Some(digest), _) => GrantSubject::Text(digest),
        (None, None, Some(path)) => GrantSubject::Write(path.it),
        (None, None, None) => GrantSubject::Tool,
    }
}

/// A folder goes with a command, and lies in the workspace.
fn check_dir(source: &mut Source<'_>, dir: &At<String>, subject: &GrantSubject) {
    if !matches!(subject, GrantSubject::Command { .. } | GrantSubject::Text(_)) {
        let what = "`dir` is where a command runs, and goes with `argv` or `text`";
        source.wrong(&dir.at, what, "remove the line");
    } else if dir.it.is_empty() || dir.it.starts_with('/') || dir.it.split('/').any(|name| name == "..") {
        let what = format!("{:?} is no folder below the workspace", dir.it);
        source.wrong(
            &dir.at,
            what,
            "write it from the workspace on, as in dir = \"crates/one\", or remove the line",
        );
    }
}

/// What a script says that is named by its digest. One that is whole must be the one that the digest is of: nobody
/// is to read something else than what counts.
fn command(source: &mut Source<'_>, fields: &mut Fields<'_>, subject: &GrantSubject) -> Option<String> {
    let command = fields.text(source, "command")?;
    let GrantSubject::Text(digest) = subject else {
        let what = "`command` goes with `text`, the digest that it explains";
        source.wrong(&command.at, what, "remove the line, or let \"always\" write grants");
        return None;
    };
    if !command.it.ends_with('…') && onward_port::digest(command.it.as_bytes()) != *digest {
        let what = "`command` is not the text that `text` is the digest of";
        source.wrong(&command.at, what, "remove the line, or let \"always\" write grants");
        return None;
    }
    Some(command.it)
}

fn files(source: &mut Source<'_>, value: &Spanned<DeValue<'_>>) -> Vec<FileState> {
    let mut files = Vec::new();
    let Some(items) = value.get_ref().as_array() else {
        source.wrong(
            &value.span(),
            "`files` must be a list",
            "write files = [{ path = \"…\", digest = \"blake3:…\" }]",
        );
        return files;
    };
    for item in items {
        let Some(table) = item.get_ref().as_table() else {
            source.wrong(
                &item.span(),
                "a file must be a table",
                "write { path = \"…\", digest = \"blake3:…\" }",
            );
            continue;
        };
        let mut fields = Fields::new(table, "file", item.span());
        let path = fields.needed(source, "path", "/srv/repo/run.sh");
        let digest = fields.needed(source, "digest", "blake3:…").and_then(|text| digest(source, &text));
        fields.finish(source);
        if let (Some(path), Some(digest)) = (path, digest) {
            files.push(FileState { path: path.it, digest: Some(digest) });
        }
    }
    files
}

/// The moment after which the grant answers nothing: a date with a time, as TOML writes it or as a text.
fn until(source: &mut Source<'_>, value: &Spanned<DeValue<'_>>) -> Option<Timestamp> {
    let text = match value.get_ref() {
        DeValue::Datetime(moment) => moment.to_string(),
        DeValue::String(text) => text.to_string(),
        _ => String::new(),
    };
    let until = moment::parse(&text);
    if until.is_none() {
        let what = "`valid_until` must be a date with a time and its distance from UTC";
        source.wrong(&value.span(), what, "write valid_until = 2026-12-01T05:00:00Z");
    }
    until
}

fn digest(source: &mut Source<'_>, text: &At<String>) -> Option<Digest> {
    let parsed = text.it.strip_prefix(PREFIX).unwrap_or(&text.it).parse();
    if parsed.is_err() {
        let instead = "a digest is 64 hexadecimal digits; let \"always\" write grants";
        source.wrong(&text.at, format!("{:?} is no digest", text.it), instead);
    }
    parsed.ok()
}
