//! The filter itself: characters in, harmless characters out.

use super::chars::{joins, selects, symbol};
use super::machine::{State, Step};
use super::utf8::Utf8;

/// What kind of text it is: how much of it may be left out, and how much invisible it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// What a program printed. Colours are dropped, and control strings shortened; otherwise as prose.
    Output,
    /// Words of a model or a person. What joins emoji, and letters of scripts that are written joined, stays, and so does
    /// the way to end a line with two characters.
    Prose,
    /// What a person decides on or may type again: commands, names, questions, errors. Everything is shown.
    Exact,
}

/// Makes one text safe, piece by piece.
#[derive(Clone, Debug)]
pub struct Filter {
    manner: Manner,
    utf8: Utf8,
    state: State,
    /// A carriage return or a joiner, whose meaning depends on what follows.
    held: Option<char>,
    /// The last character that was shown.
    last: char,
}

/// What a program printed.
pub fn output(text: &str) -> String {
    whole(Manner::Output, text)
}

/// Words of a model or a person.
pub fn prose(text: &str) -> String {
    whole(Manner::Prose, text)
}

/// What a person decides on or may type again.
pub fn exact(text: &str) -> String {
    whole(Manner::Exact, text)
}

fn whole(manner: Manner, text: &str) -> String {
    let mut filter = Filter::new(manner);
    let mut out = filter.push(text);
    out.push_str(&filter.finish());
    out
}

impl Filter {
    /// For a text of this kind.
    pub fn new(manner: Manner) -> Self {
        Self { manner, utf8: Utf8::default(), state: State::default(), held: None, last: '\n' }
    }

    /// Takes a piece; gives what of the text can be shown now.
    pub fn push(&mut self, piece: &str) -> String {
        let mut out = String::with_capacity(piece.len());
        for c in piece.chars() {
            self.take(c, &mut out);
        }
        out
    }

    /// As [`Filter::push`], for bytes; not to be mixed with it in one text.
    pub fn push_bytes(&mut self, piece: &[u8]) -> String {
        let text = self.utf8.push(piece);
        self.push(&text)
    }

    /// The rest, when nothing more comes.
    pub fn finish(&mut self) -> String {
        let mut out = String::new();
        if let Some(c) = self.utf8.finish() {
            self.take(c, &mut out);
        }
        let held = self.state.finish();
        self.symbols(&held, &mut out);
        if let Some(held) = self.held.take() {
            self.show(held, &mut out);
        }
        out
    }

    fn take(&mut self, c: char, out: &mut String) {
        if self.manner != Manner::Output {
            return self.plain(c, out);
        }
        match self.state.step(c) {
            Step::Plain => self.plain(c, out),
            Step::Hold | Step::Drop | Step::Hidden { first: false } => {}
            Step::Hidden { first: true } => self.shown('…', out),
            Step::Show(sequence) => self.symbols(&sequence, out),
            Step::Inside => self.show(c, out),
            Step::Broken(sequence) => {
                self.symbols(&sequence, out);
                // A broken sequence leaves the ground, where every character has its place.
                self.take(c, out);
            }
        }
    }

    /// A character outside of sequences.
    fn plain(&mut self, c: char, out: &mut String) {
        match self.held.take() {
            Some('\r') if c == '\n' => {}
            Some('\r') => self.show('\r', out),
            Some(joiner) if joins(self.last, joiner, c) => self.shown(joiner, out),
            Some(other) => self.show(other, out),
            None => {}
        }
        match c {
            _ if self.manner == Manner::Exact => self.show(c, out),
            // At the end of a line it moves nothing; alone it would go back over what was shown.
            '\r' | '\u{200c}' | '\u{200d}' => self.held = Some(c),
            _ if selects(self.last, c) => self.shown(c, out),
            _ => self.show(c, out),
        }
    }

    /// A whole sequence, each of its controls as a symbol.
    fn symbols(&mut self, sequence: &str, out: &mut String) {
        if !sequence.is_empty()
            && let Some(held) = self.held.take()
        {
            self.show(held, out);
        }
        for c in sequence.chars() {
            self.show(c, out);
        }
    }

    /// A character, or the symbol for it.
    fn show(&mut self, c: char, out: &mut String) {
        match symbol(c) {
            None => self.shown(c, out),
            Some(symbol) => symbol.chars().for_each(|c| self.shown(c, out)),
        }
    }

    fn shown(&mut self, c: char, out: &mut String) {
        out.push(c);
        self.last = c;
    }
}
