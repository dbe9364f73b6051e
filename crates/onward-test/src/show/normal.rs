//! Takes out of a text what differs from run to run: ids are numbered in the order in which they appear, times and
//! places are named.

use std::collections::BTreeMap;
use std::path::Path;

/// Characters behind the underscore of an id.
const SUFFIX: usize = 26;

/// Fields of the stream whose numbers are time.
const TIMES: [&str; 3] = ["\"at\":", "\"millis\":", "\"retry_at\":"];

pub(super) fn normalised(text: &str, workspace: &Path) -> String {
    let text = text.replace(&workspace.display().to_string(), "/w");
    let text = TIMES.iter().fold(text, |text, field| without_number(&text, field));
    numbered(&without_hashes(&text))
}

/// `"at":17` becomes `"at":_`.
fn without_number(text: &str, field: &str) -> String {
    let mut parts = text.split(field);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(field);
        out.push('_');
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

/// A cursor `7-0a1b2c3d` becomes `7`: the hash is over ids and times.
fn without_hashes(text: &str) -> String {
    const FIELD: &str = "\"cursor\":\"";
    let mut parts = text.split(FIELD);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (cursor, rest) = part.split_once('"').unwrap_or((part, ""));
        let seq = cursor.split('-').next().unwrap_or_default();
        out.push_str(&format!("{FIELD}{seq}\"{rest}"));
    }
    out
}

/// `turn_` and 26 characters become `turn_1`, and so on.
fn numbered(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    while let Some(at) = rest.find('_') {
        let (before, behind) = rest.split_at(at);
        let word = before.rfind(|c: char| !c.is_ascii_lowercase()).map_or(0, |end| end + 1);
        let prefix = &before[word..];
        let suffix: String = behind[1..].chars().take(SUFFIX).collect();
        let ends = !behind[1..].chars().nth(SUFFIX).is_some_and(|c| c.is_ascii_alphanumeric());
        if prefix.is_empty() || !is_suffix(&suffix) || !ends {
            out.push_str(before);
            out.push('_');
            rest = &behind[1..];
            continue;
        }
        let name = known.entry(format!("{prefix}_{suffix}")).or_insert_with(|| {
            let count = counts.entry(prefix.to_owned()).or_default();
            *count += 1;
            format!("{prefix}_{count}")
        });
        out.push_str(&before[..word]);
        out.push_str(name);
        rest = &behind[1 + SUFFIX..];
    }
    out.push_str(rest);
    out
}

fn is_suffix(text: &str) -> bool {
    text.len() == SUFFIX && text.bytes().all(|c| c.is_ascii_digit() || c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use onward_event::{CallId, TurnId};

    #[test]
    fn ids_are_numbered_by_kind_in_their_order() {
        let (a, b, c) = (TurnId::from_bits(9), TurnId::from_bits(4), CallId::from_bits(1));
        let text = format!("{a} {b} {c}, {a}; call_1_1 outcome_unknown {b}.");
        assert_eq!(numbered(&text), "turn_1 turn_2 call_1, turn_1; call_1_1 outcome_unknown turn_2.");
    }

    #[test]
    fn times_places_and_hashes_go() {
        let line = r#"{"type":"x","cursor":"7-0a1b2c3d","at":1767225600003,"path":"/tmp/x/workspace/a"}"#;
        assert_eq!(
            normalised(line, Path::new("/tmp/x/workspace")),
            r#"{"type":"x","cursor":"7","at":_,"path":"/w/a"}"#
        );
    }
}
