//! Words that stand for something: effects, modes, risks, containments.

use onward_event::{Mode, Risk, Verdict};

use super::fields::At;
use super::source::Source;
use crate::rule::{RuleSandbox, Special};
use crate::suggest::suggestion;

pub(super) const EFFECTS: &[(&str, Verdict)] =
    &[("allow", Verdict::Allow), ("ask", Verdict::Ask), ("deny", Verdict::Deny)];

pub(super) const MODES: &[(&str, Mode)] = &[
    ("normal", Mode::Normal),
    ("accept-edits", Mode::AcceptEdits),
    ("auto", Mode::Auto),
    ("plan", Mode::Plan),
    ("read-only", Mode::ReadOnly),
    ("bypass", Mode::Bypass),
];

pub(super) const RISKS: &[(&str, Risk)] = &[
    ("read", Risk::Read),
    ("write", Risk::Write),
    ("shell", Risk::Shell),
    ("network", Risk::Network),
    ("dangerous", Risk::Dangerous),
];

pub(super) const SANDBOXES: &[(&str, RuleSandbox)] = &[
    ("read-only", RuleSandbox::ReadOnly),
    ("workspace-write", RuleSandbox::WorkspaceWrite),
    ("none", RuleSandbox::Uncontained),
];

pub(super) const SPECIALS: &[(&str, Special)] = Special::NAMES;

/// What a word stands for.
pub(super) fn one<T: Copy>(
    source: &mut Source<'_>,
    key: &str,
    word: &At<String>,
    known: &[(&str, T)],
) -> Option<T> {
    if let Some((_, it)) = known.iter().find(|(name, _)| *name == word.it) {
        return Some(*it);
    }
    let names = || known.iter().map(|(name, _)| *name);
    let instead = match suggestion(&word.it, names()) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!(
            "write one of {}",
            names().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
        ),
    };
    source.wrong(&word.at, format!("`{key}` cannot be {:?}", word.it), instead);
    None
}

/// What the words of a list stand for; none at all matches nothing.
pub(super) fn some<T: Copy>(
    source: &mut Source<'_>,
    key: &str,
    words: Option<At<Vec<At<String>>>>,
    known: &[(&str, T)],
) -> Vec<T> {
    let Some(words) = words else { return Vec::new() };
    if words.it.is_empty() {
        source.wrong(
            &words.at,
            format!("with an empty `{key}` the rule can match nothing"),
            format!("name some, or leave `{key}` out for all"),
        );
    }
    words.it.iter().filter_map(|word| one(source, key, word, known)).collect()
}
