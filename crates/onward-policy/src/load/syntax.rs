//! What to write instead of a line that is not TOML, as far as it can be told from the line.

use std::ops::Range;

/// What is probably meant at this place of the text.
pub(super) fn instead(text: &str, at: &Range<usize>, message: &str) -> String {
    let start = text.get(..at.start).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
    let line = text.get(start..).unwrap_or_default().lines().next().unwrap_or_default().trim();
    let key = line.split(['=', ':', ' ']).next().unwrap_or_default();
    if message.contains("duplicate") {
        return "remove one of the two".into();
    }
    if let Some(rest) = line.strip_prefix('[') {
        let name = rest.trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let name = if name.is_empty() || name.contains(|c: char| !c.is_ascii_alphanumeric()) {
            "rule"
        } else {
            name
        };
        return format!("write [[{name}]] with two brackets on both sides");
    }
    match line.split_once('=') {
        None if line.contains(':') => format!("write {key} = …, with `=` instead of `:`"),
        None => "write key = value, one in each line; a remark begins with #".into(),
        Some((_, value)) => of_value(key, value.trim()),
    }
}

fn of_value(key: &str, value: &str) -> String {
    let odd = |quote: char| value.matches(quote).count() % 2 == 1;
    if value.is_empty() {
        format!("write what `{key}` is to be behind the `=`")
    } else if odd('"') || odd('\'') {
        "close the text with the quote that it begins with".into()
    } else if value.starts_with('[') && !value.ends_with(']') {
        "close the list with `]`, and put a comma between its texts".into()
    } else if value.starts_with('[') {
        format!("put each text of the list in quotes, and a comma between them: {key} = [\"…\", \"…\"]")
    } else if value.starts_with('"') && value.contains('\\') {
        "write a backslash as two, or the text in single quotes".into()
    } else {
        format!("put a text in quotes: {key} = \"{}\"", value.trim_matches(['"', '\'']))
    }
}
