//! Lines for people: plain text with a style, coloured only on a terminal that wants it. Colour is never the only
//! signal.

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

const RESET: &str = "\x1b[0m";
const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const GREEN: &str = "\x1b[32m";

/// Every sequence that this program sends to a terminal.
pub(crate) const COLOURS: [&str; 5] = [RESET, BOLD, DIM, RED, GREEN];

/// Whether colours are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Palette {
    pub(crate) colour: bool,
}

impl Palette {
    /// The line as it is written, without its end.
    pub(crate) fn paint(self, line: &Line) -> String {
        let colour = match line.style {
            Style::Plain => return line.text.clone(),
            Style::Dim => DIM,
            Style::Good => GREEN,
            Style::Bad => RED,
            Style::Strong => BOLD,
        };
        if self.colour { format!("{colour}{}{RESET}", line.text) } else { line.text.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colour_only_where_it_is_wanted() {
        let line = Line::new(Style::Bad, "no");
        assert_eq!(Palette { colour: false }.paint(&line), "no");
        assert_eq!(Palette { colour: true }.paint(&line), "\x1b[31mno\x1b[0m");
    }
}
