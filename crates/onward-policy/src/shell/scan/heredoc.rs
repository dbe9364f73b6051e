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
    /// Its last line was there, and no other line could be taken for it.
    pub(super) certain: bool,
}

/// Reads the body that starts at `from`.
pub(super) fn body(characters: &[char], from: usize, pending: &Pending) -> Body {
    let mut text = String::new();
    let mut next = from;
    let mut certain = true;
    while next < characters.len() {
        let rest = &characters[next..];
        let length = rest.iter().position(|&character| character == '\n').unwrap_or(rest.len());
        let line = rest[..length].iter().collect::<String>();
        next = (next + length + 1).min(characters.len());
        let line = if pending.strips { line.trim_start_matches('\t') } else { &line };
        if line == pending.delimiter {
            // A line that is continued may swallow this one.
            let swallowed = pending.expands && text.ends_with("\\\n");
            return Body { text, next, certain: certain && !swallowed };
        }
        // `EOF)` ends one inside a substitution.
        certain &= !line.trim_start().starts_with(&pending.delimiter);
        text.push_str(line);
        text.push('\n');
    }
    Body { text, next, certain: false }
}
