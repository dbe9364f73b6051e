//! Lines for people: plain text with a style, coloured only on a terminal that wants it. Colour is never the only
//! signal.

use std::fmt::Write as _;

/// How a line looks where colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    Plain,
    Dim,
    Good,
    Bad,
    Strong,
}

/// A line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) style: Style,
    pub(crate) text: String,
}

impl Line {
    pub(crate) fn new(style: Style, text: impl Into<String>) -> Self {
        Self { style, text: text.into() }
    }
}

/// Whether colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    pub(crate) colour: bool,
}

impl Palette {
    /// The line as it is written, without its end.
    pub(crate) fn paint(self, line: &Line) -> String {
        let code = match line.style {
            Style::Plain => return line.text.clone(),
            Style::Dim => "2",
            Style::Good => "32",
            Style::Bad => "31",
            Style::Strong => "1",
        };
        if self.colour { format!("\x1b[{code}m{}\x1b[0m", line.text) } else { line.text.clone() }
    }
}

/// Text from outside, made safe for a terminal: every control character but the end of a line and the tab is shown
/// instead of sent, and so is every character that turns the direction of a line or cannot be seen.
pub(crate) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' => out.push('␍'),
            '\0'..='\u{1f}' => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('�')),
            '\u{7f}' => out.push('␡'),
            '\u{80}'..='\u{9f}' => {
                // Writing to a String cannot fail.
                let _ = write!(out, "<{:02x}>", u32::from(c));
            }
            '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}' => {
                let _ = write!(out, "<U+{:04X}>", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_sequence_reaches_the_terminal() {
        let attack = "a\u{1b}]52;c;aGk=\u{7}b\u{9b}6n\rc\u{202e}d\u{8}\n\te";
        assert_eq!(printable(attack), "a␛]52;c;aGk=␇b<9b>6n␍c<U+202E>d␈\n\te");
    }

    #[test]
    fn colour_only_where_it_is_wanted() {
        let line = Line::new(Style::Bad, "no");
        assert_eq!(Palette { colour: false }.paint(&line), "no");
        assert_eq!(Palette { colour: true }.paint(&line), "\x1b[31mno\x1b[0m");
    }
}
