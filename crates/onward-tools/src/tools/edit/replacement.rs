//! The replacement itself, on bytes: what is not touched stays as it is, whatever its encoding.

use std::borrow::Cow;

use onward_port::ToolFault;

use super::EditInput;
use super::explain;

/// Line numbers that a sentence names.
const MAX_NAMED: usize = 12;

/// An edited content.
pub(super) struct Edited {
    /// The new content.
    pub(super) bytes: Vec<u8>,
    /// At which lines of the old content something was replaced, from 1.
    pub(super) lines: Vec<u64>,
}

/// Replaces `old` in `content`.
///
/// # Errors
/// `no_match` or `not_unique`, with what would help.
pub(super) fn edited(shown: &str, content: &[u8], input: &EditInput) -> Result<Edited, ToolFault> {
    let crlf = only_crlf(content) && !input.old.contains('\r') && !input.new.contains('\r');
    let (old, new) = (with_line_ends(&input.old, crlf), with_line_ends(&input.new, crlf));
    let found = occurrences(content, old.as_bytes());
    let lines = lines_of(content, &found);
    match found.len() {
        0 => return Err(explain::no_match(shown, content, &input.old)),
        1 => {}
        _ if input.replace_all => {}
        n => return Err(not_unique(shown, n, &lines)),
    }
    let mut bytes = Vec::with_capacity(content.len() + new.len());
    let mut rest = 0;
    for at in found {
        bytes.extend_from_slice(&content[rest..at]);
        bytes.extend_from_slice(new.as_bytes());
        rest = at + old.len();
    }
    bytes.extend_from_slice(&content[rest..]);
    Ok(Edited { bytes, lines })
}

/// `line 3`, `lines 3, 7 and 9`.
pub(super) fn named_lines(lines: &[u64]) -> String {
    let named: Vec<String> = lines.iter().take(MAX_NAMED).map(u64::to_string).collect();
    match (named.as_slice(), lines.len() - named.len()) {
        ([one], 0) => format!("line {one}"),
        ([first @ .., last], 0) => format!("lines {} and {last}", first.join(", ")),
        (_, more) => format!("lines {} and {more} more", named.join(", ")),
    }
}

fn not_unique(shown: &str, n: usize, lines: &[u64]) -> ToolFault {
    let lines = named_lines(lines);
    let message = format!(
        "`old` stands {n} times in `{shown}` ({lines}); add the lines around the one that is meant, or set \
         `replace_all` to true"
    );
    ToolFault::new("not_unique", message)
}

/// Whether every line of the file ends with CRLF. A model does not see line ends: in such a file, its own are meant
/// the same way.
fn only_crlf(content: &[u8]) -> bool {
    let mut ends =
        content.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).peekable();
    ends.peek().is_some() && ends.all(|at| at > 0 && content[at - 1] == b'\r')
}

fn with_line_ends(text: &str, crlf: bool) -> Cow<'_, str> {
    if crlf { Cow::Owned(text.replace('\n', "\r\n")) } else { Cow::Borrowed(text) }
}

/// Where `needle` begins, without overlaps. `needle` is not empty.
fn occurrences(content: &[u8], needle: &[u8]) -> Vec<usize> {
    if let (Ok(content), Ok(needle)) = (std::str::from_utf8(content), std::str::from_utf8(needle)) {
        return content.match_indices(needle).map(|(at, _)| at).collect();
    }
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = content[from..].windows(needle.len()).position(|window| window == needle) {
        found.push(from + at);
        from += at + needle.len();
    }
    found
}

fn lines_of(content: &[u8], positions: &[usize]) -> Vec<u64> {
    let (mut line, mut from) = (1, 0);
    let mut lines = Vec::with_capacity(positions.len());
    for at in positions {
        line += content[from..*at].iter().filter(|byte| **byte == b'\n').count() as u64;
        from = *at;
        lines.push(line);
    }
    lines
}
