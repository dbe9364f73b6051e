//! Takes out of a text what differs from run to run, in one place: ids are numbered in the order in which they appear,
//! so that it stays visible which are the same; places, times, hashes and estimates are named.

use std::collections::BTreeMap;
use std::path::Path;

/// Numbers that mean something else each time, by what stands before and after them.
const NUMBERS: [(&str, &str, &str); 10] = [
    ("\"at\":", "", "[time]"),
    ("\"retry_at\":", "", "[time]"),
    ("\"created\":", "", "[time]"),
    ("\"updated\":", "", "[time]"),
    ("\"millis\":", "", "[ms]"),
    ("· ", " ms", "[ms]"),
    ("begun ", " s ago", "[age]"),
    ("process ", "", "[pid]"),
    // Estimates change with the words of the product's own instructions.
    ("~", " tokens", "[n]"),
    ("as recorded, ", " bytes", "[n]"),
];

/// Times for people; `#` is a digit.
const TIMES: [&str; 3] = ["####-##-##T##:##:##.###Z", "####-##-##T##:##:##Z", "####-##-## ##:##"];

/// What names the tier, before and after it: each machine has its own.
const TIER: [(&str, &str); 3] = [("\"tier\":\"", "\""), ("contained (", ")"), ("sandbox: ", " ")];
const TIERS: [&str; 2] = ["namespaces", "landlock"];

/// Characters behind the underscore of an id.
const SUFFIX: usize = 26;

/// The filter of one sandbox.
pub(super) struct Filter<'a> {
    folder: &'a Path,
    known: BTreeMap<String, String>,
    counts: BTreeMap<String, usize>,
}

impl<'a> Filter<'a> {
    pub(super) fn new(folder: &'a Path) -> Self {
        Self { folder, known: BTreeMap::new(), counts: BTreeMap::new() }
    }

    pub(super) fn apply(mut self, text: &str) -> String {
        let mut text = text.replace(&self.folder.display().to_string(), "[sandbox]");
        for (before, after, name) in NUMBERS {
            text = without_numbers(&text, before, after, name);
        }
        for ((before, after), tier) in TIER.into_iter().flat_map(|around| TIERS.map(|tier| (around, tier))) {
            text = text.replace(&format!("{before}{tier}{after}"), &format!("{before}[tier]{after}"));
        }
        for shape in TIMES {
            text = without_shape(&text, shape);
        }
        self.words(&text)
    }

    /// Replaces ids and hashes, word by word.
    fn words(&mut self, text: &str) -> String {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let (mut out, mut rest) = (String::with_capacity(text.len()), text);
        while !rest.is_empty() {
            let gap = rest.find(is_word).unwrap_or(rest.len());
            out.push_str(&rest[..gap]);
            rest = &rest[gap..];
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            out.push_str(&self.word(&rest[..end]));
            rest = &rest[end..];
        }
        out
    }

    fn word(&mut self, word: &str) -> String {
        let is_hash = word.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
        match (word.split_once('_'), is_hash, word.len()) {
            (Some((prefix, suffix)), _, _) if suffix.len() == SUFFIX && !suffix.contains('_') => {
                let Self { known, counts, .. } = self;
                let name = known.entry(word.to_owned()).or_insert_with(|| {
                    let count = counts.entry(prefix.to_owned()).or_default();
                    *count += 1;
                    format!("{prefix}_{count}")
                });
                name.clone()
            }
            (None, true, 8) => "[hash]".into(),
            (None, true, 64) => "[digest]".into(),
            _ => word.to_owned(),
        }
    }
}

fn without_numbers(text: &str, before: &str, after: &str, name: &str) -> String {
    let mut parts = text.split(before);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(before);
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
        match rest.len() < part.len() && rest.starts_with(after) {
            true => out.push_str(&format!("{name}{rest}")),
            false => out.push_str(part),
        }
    }
    out
}

fn without_shape(text: &str, shape: &str) -> String {
    let fits = |rest: &str| {
        let mut chars = rest.chars();
        shape.chars().all(|wanted| {
            chars.next().is_some_and(|c| if wanted == '#' { c.is_ascii_digit() } else { c == wanted })
        })
    };
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(c) = rest.chars().next() {
        if fits(rest) {
            out.push_str("[time]");
            rest = &rest[shape.len()..];
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

#[test]
fn what_differs_goes_and_what_is_the_same_stays_the_same() {
    let (a, b) = ("call_01m8pgz1kdebe80v544rwgqjqk", "call_01m8pgz1kdebe80v544rwgqjqz");
    let text = format!(
        "{a} {b} {a}: tool_call outcome_unknown 12 ms · 12 ms /tmp/x/home 7-0a1b2c3d 2026-11-30 12:01 \"at\":17,"
    );
    assert_eq!(
        Filter::new(Path::new("/tmp/x")).apply(&text),
        "call_1 call_2 call_1: tool_call outcome_unknown 12 ms · [ms] ms [sandbox]/home 7-[hash] [time] \"at\":[time],"
    );
}
