//! Why a text was not found, and where the file has something like it.

use std::collections::BTreeMap;

use onward_port::ToolFault;

use crate::text::cut_line;

/// Lines of a file that are compared.
const MAX_COMPARED: usize = 50_000;
/// Bytes of a line that are compared and shown.
const MAX_LINE: usize = 200;
/// Lines of the file's own text that are shown.
const MAX_SHOWN: usize = 12;
/// Similar places that are shown.
const MAX_PLACES: usize = 3;
/// How alike two lines must be to be worth showing, from 0 to 1.
const ALIKE: f64 = 0.6;

/// The fault for an `old` that does not stand in the file.
pub(super) fn no_match(shown: &str, content: &[u8], old: &str) -> ToolFault {
    let lines: Vec<&[u8]> = content.split(|byte| *byte == b'\n').take(MAX_COMPARED).collect();
    let hint = if content.is_empty() {
        "the file is empty; use `write`".into()
    } else {
        numbered(content, old).or_else(|| white_space(&lines, old)).unwrap_or_else(|| closest(&lines, old))
    };
    ToolFault::new("no_match", format!("`old` does not stand in `{shown}`: {hint}"))
}

/// A text that was copied with the line numbers of `read`.
fn numbered(content: &[u8], old: &str) -> Option<String> {
    let without_number = |line: &str| {
        let (number, text) = line.split_once('\t')?;
        number.trim().parse::<u64>().is_ok().then(|| text.to_owned())
    };
    let lines: Vec<String> = old.lines().map(without_number).collect::<Option<_>>()?;
    let content = String::from_utf8_lossy(content).replace('\r', "");
    let stands = !lines.is_empty() && content.contains(&lines.join("\n"));
    stands.then(|| {
        "it begins with line numbers, which are not part of the file; leave number and tab out".into()
    })
}

/// The same lines, but for white space.
fn white_space(lines: &[&[u8]], old: &str) -> Option<String> {
    let wanted: Vec<String> = old.lines().map(squeezed).collect();
    let wanted = trim_blank(&wanted);
    if wanted.is_empty() || wanted.len() > lines.len() {
        return None;
    }
    let squeezed: Vec<String> = lines.iter().map(|line| squeezed(&String::from_utf8_lossy(line))).collect();
    let at = squeezed.windows(wanted.len()).position(|window| window == wanted)?;
    let last = at + wanted.len();
    let text: Vec<String> = lines[at..last].iter().take(MAX_SHOWN).map(|line| visible(line)).collect();
    let place = match wanted.len() {
        1 => format!("line {last} differs"),
        _ => format!("lines {} to {last} differ", at + 1),
    };
    let text = text.join("\n");
    Some(format!("{place} from it only in white space. The file has (\\t is a tab):\n{text}"))
}

fn squeezed(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn trim_blank(lines: &[String]) -> &[String] {
    let start = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(start, |last| last + 1);
    &lines[start..end]
}

fn visible(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    cut_line(line, MAX_LINE).replace('\t', "\\t")
}

/// The lines most like the first line of the text that says anything.
fn closest(lines: &[&[u8]], old: &str) -> String {
    let nothing = "nothing in the file is like it; read the file again".to_owned();
    let Some(wanted) = old.lines().map(str::trim).max_by_key(|line| line.len().min(MAX_LINE)) else {
        return nothing;
    };
    let wanted = pairs(wanted.as_bytes());
    let scores = lines.iter().enumerate().map(|(n, line)| (likeness(&wanted, &pairs(line.trim_ascii())), n));
    let mut scores: Vec<(f64, usize)> = scores.filter(|(score, _)| *score >= ALIKE).collect();
    scores.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scores.truncate(MAX_PLACES);
    if scores.is_empty() {
        return nothing;
    }
    let places = scores.iter().map(|(_, n)| format!("{}\t{}", n + 1, visible(lines[*n])));
    format!("the lines most like it are\n{}", places.collect::<Vec<_>>().join("\n"))
}

/// How often each pair of neighbouring bytes occurs.
fn pairs(line: &[u8]) -> BTreeMap<[u8; 2], u32> {
    let mut pairs = BTreeMap::new();
    for pair in line[..line.len().min(MAX_LINE)].windows(2) {
        *pairs.entry([pair[0], pair[1]]).or_insert(0) += 1;
    }
    pairs
}

/// The share of pairs that two lines have in common (Dice's coefficient).
fn likeness(a: &BTreeMap<[u8; 2], u32>, b: &BTreeMap<[u8; 2], u32>) -> f64 {
    let total: u32 = a.values().chain(b.values()).sum();
    let common: u32 = a.iter().map(|(pair, n)| b.get(pair).map_or(0, |m| *n.min(m))).sum();
    if total == 0 { 0.0 } else { f64::from(2 * common) / f64::from(total) }
}
