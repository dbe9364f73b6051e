//! The sequences of ECMA-48 and of the VT500, one character after the other: where each begins, what kind it is, and
//! where it ends or is broken off.

/// Characters of the longest sequence that is taken for one; what is longer is text.
const LONGEST_SEQUENCE: usize = 64;
/// Characters of a control string (a title, a hyperlink, a clipboard) that are shown of it.
const SHOWN_OF_STRING: usize = 32;
/// Characters after which a control string that does not end is broken off: it must not hide what follows.
const LONGEST_STRING: usize = 4_096;

/// What is under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum State {
    #[default]
    Ground,
    /// After `ESC`, with its intermediate characters.
    Escape(String),
    /// After `CSI`.
    Control(String),
    /// In a control string, with the characters that it has so far.
    Text { kind: Kind, length: usize },
    /// In a control string, after `ESC`.
    TextEscape { kind: Kind, length: usize },
}

/// Kinds of control strings; only that of the operating system ends with a bell too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Osc,
    Other,
}

/// What to do with a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It is text, or a control that stands alone.
    Plain,
    /// It is part of a sequence that is not complete.
    Hold,
    /// It completes a sequence, which is this.
    Show(String),
    /// It completes a sequence that sets colours.
    Drop,
    /// It does not belong to the sequence that it breaks off, which is this; look at it again.
    Broken(String),
    /// It is part of a control string, and shown.
    Inside,
    /// It is part of a control string, and not shown; the first such one leaves a mark.
    Hidden { first: bool },
}

impl State {
    /// Takes a character.
    pub(super) fn step(&mut self, c: char) -> Step {
        match std::mem::take(self) {
            Self::Ground => self.ground(c),
            Self::Escape(seen) => self.escape(seen, c),
            Self::Control(seen) => self.control(seen, c),
            Self::Text { kind, length } => self.text(kind, length, c),
            Self::TextEscape { kind, length } => match c {
                '\\' => Step::Show("\u{1b}\\".into()),
                _ => {
                    // Whatever it is, the string is over.
                    let _ = (kind, length);
                    Step::Broken("\u{1b}".into())
                }
            },
        }
    }

    /// What was held, when nothing more comes.
    pub(super) fn finish(&mut self) -> String {
        match std::mem::take(self) {
            Self::Escape(seen) | Self::Control(seen) => seen,
            Self::TextEscape { .. } => "\u{1b}".into(),
            Self::Ground | Self::Text { .. } => String::new(),
        }
    }

    fn ground(&mut self, c: char) -> Step {
        match c {
            '\u{1b}' => *self = Self::Escape(c.into()),
            '\u{9b}' => *self = Self::Control(c.into()),
            '\u{9d}' => return self.begin(Kind::Osc, c.into()),
            '\u{90}' | '\u{98}' | '\u{9e}' | '\u{9f}' => return self.begin(Kind::Other, c.into()),
            _ => return Step::Plain,
        }
        Step::Hold
    }

    fn escape(&mut self, mut seen: String, c: char) -> Step {
        let alone = seen.len() == 1;
        match c {
            ' '..='/' if seen.len() < LONGEST_SEQUENCE => {
                seen.push(c);
                *self = Self::Escape(seen);
                Step::Hold
            }
            '[' if alone => {
                seen.push(c);
                *self = Self::Control(seen);
                Step::Hold
            }
            ']' if alone => self.begin(Kind::Osc, with(seen, c)),
            'P' | 'X' | '^' | '_' if alone => self.begin(Kind::Other, with(seen, c)),
            '0'..='~' => Step::Show(with(seen, c)),
            _ => Step::Broken(seen),
        }
    }

    /// `CSI`, parameters, intermediate characters, and the one that ends it.
    fn control(&mut self, seen: String, c: char) -> Step {
        match c {
            ' '..='?' if seen.len() < LONGEST_SEQUENCE => {
                *self = Self::Control(with(seen, c));
                Step::Hold
            }
            'm' if is_colour(&seen) => Step::Drop,
            '@'..='~' => Step::Show(with(seen, c)),
            _ => Step::Broken(seen),
        }
    }

    fn begin(&mut self, kind: Kind, introducer: String) -> Step {
        *self = Self::Text { kind, length: 0 };
        Step::Show(introducer)
    }

    fn text(&mut self, kind: Kind, length: usize, c: char) -> Step {
        match c {
            '\u{7}' if kind == Kind::Osc => Step::Plain,
            // The end of a string; what cancels it; and the end of a line, which it must not reach beyond.
            '\u{9c}' | '\u{18}' | '\u{1a}' | '\n' => Step::Plain,
            '\u{1b}' => {
                *self = Self::TextEscape { kind, length };
                Step::Hold
            }
            _ if length >= LONGEST_STRING => Step::Plain,
            _ => {
                *self = Self::Text { kind, length: length + 1 };
                match length {
                    shown if shown < SHOWN_OF_STRING => Step::Inside,
                    _ => Step::Hidden { first: length == SHOWN_OF_STRING },
                }
            }
        }
    }
}

/// Whether `CSI` and these parameters, with an `m`, set colours and weight, and nothing else.
fn is_colour(seen: &str) -> bool {
    let parameters = seen.trim_start_matches(['\u{1b}', '[', '\u{9b}']);
    parameters.chars().all(|c| matches!(c, '0'..='9' | ';' | ':'))
}

fn with(mut seen: String, c: char) -> String {
    seen.push(c);
    seen
}
