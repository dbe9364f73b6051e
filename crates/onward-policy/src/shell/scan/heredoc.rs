//! Here-documents: which are waiting for their body, and the body itself.

/// A here-document whose body starts on the next line.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) delimiter: String,
    /// No part of the delimiter was quoted: substitutions in the body run.
    pub(super) expands: bool,
    /// `<<-`: tabs before a line do not count.
    pub(super) strips: bool,
}

/// A body, and where the text goes on.
pub(super) struct Body {
    pub(super) text: String,
    pub(super) next: usize,
    /// The line with the delimiter was there.
    pub(super) closed: bool,
}

/// Reads the body that starts at `from`.
pub(super) fn body(characters: &[char], from: usize, pending: &Pending) -> Body {
    let mut text = String::new();
    let mut next = from;
    while next < characters.len() {
        let rest = &characters[next..];
        let length = rest.iter().position(|&character| character == '\n').unwrap_or(rest.len());
        let line = rest[..length].iter().collect::<String>();
        next = (next + length + 1).min(characters.len());
        let line = if pending.strips { line.trim_start_matches('\t') } else { &line };
        if line == pending.delimiter {
            return Body { text, next, closed: true };
        }
        text.push_str(line);
        text.push('\n');
    }
    Body { text, next, closed: false }
}
