//! Reads a script from left to right and notes every command in it.

use super::heredoc::{self, Pending};
use super::quotes;
use super::word::Word;
use crate::shell::{Redirect, Simple, limits};

/// What the scans of the parts of one script have in common.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) found: Vec<Simple>,
    /// Bodies of here-documents and here-strings.
    pub(super) bodies: Vec<String>,
    /// Where a body starts or ends is not certain.
    pub(super) doubtful_bodies: bool,
    /// A limit was reached, or something did not end: what was found may not be all.
    pub(super) exhausted: bool,
    /// Bytes that were read, some of them several times.
    pub(super) read: usize,
}

/// One text that is read: the script, the inside of backquotes, a body.
pub(super) struct Scanner<'a> {
    characters: Vec<char>,
    at: usize,
    depth: usize,
    pending: Vec<Pending>,
    shared: &'a mut Shared,
}

/// What ends a list of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Text,
    Parenthesis,
}

/// The command that is being read.
#[derive(Default)]
struct Open {
    command: Simple,
    unknown: bool,
    started: bool,
    /// The rest of the words belong to the grammar (`for a in ..`).
    ignored: bool,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &str, depth: usize, shared: &'a mut Shared) -> Self {
        shared.read += text.len();
        let within = shared.read <= limits::SCAN_WORK;
        shared.exhausted |= !within;
        let characters = if within { text.chars().collect() } else { Vec::new() };
        Self { characters, at: 0, depth, pending: Vec::new(), shared }
    }

    /// Reads the whole text as commands.
    pub(super) fn script(mut self) {
        self.list(End::Text);
    }

    /// Reads the whole text as one in which only substitutions run.
    fn expansions(mut self) {
        let mut ignored = Word { known: true, ..Word::default() };
        while let Some(character) = self.peek() {
            match character {
                '$' => self.dollar(&mut ignored, true),
                '`' => self.backquoted(&mut ignored),
                '\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn list(&mut self, end: End) {
        if self.depth > limits::SCAN_DEPTH {
            self.shared.exhausted = true;
            self.at = self.characters.len();
            return;
        }
        let mut open = Open::default();
        let mut cases = 0_usize;
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' => self.at += 1,
                '\\' if self.peek_at(1) == Some('\n') => self.at += 2,
                '\n' => {
                    self.at += 1;
                    self.close(&mut open);
                    self.bodies();
                }
                '#' => self.comment(),
                '&' if self.peek_at(1) == Some('>') => self.redirection(&mut open),
                ';' | '&' | '|' => {
                    self.at += 1;
                    self.close(&mut open);
                }
                // In `case` one ends a pattern. Where that is not certain it separates, which loses nothing.
                ')' if end == End::Parenthesis && cases == 0 => {
                    self.at += 1;
                    self.close(&mut open);
                    return;
                }
                ')' => {
                    self.at += 1;
                    self.close(&mut open);
                }
                '(' => {
                    self.at += 1;
                    self.close(&mut open);
                    self.nested();
                }
                '<' | '>' if self.peek_at(1) != Some('(') => self.redirection(&mut open),
                _ => {
                    let word = self.word();
                    let numbers_a_descriptor = word.keyword().is_some_and(is_number)
                        && matches!(self.peek(), Some('<' | '>'))
                        && self.peek_at(1) != Some('(');
                    if !numbers_a_descriptor {
                        self.place(&mut open, word, &mut cases);
                    }
                }
            }
        }
        self.close(&mut open);
        self.shared.exhausted |= end != End::Text;
    }

    /// The inside of parentheses, as commands.
    fn nested(&mut self) {
        self.depth += 1;
        self.list(End::Parenthesis);
        self.depth -= 1;
    }

    /// Puts a word where it belongs: the grammar, an assignment, the name or an argument.
    fn place(&mut self, open: &mut Open, word: Word, cases: &mut usize) {
        if !open.started && !open.ignored {
            match word.keyword() {
                Some(
                    "if" | "then" | "else" | "elif" | "do" | "while" | "until" | "!" | "{" | "}" | "fi"
                    | "done",
                )
                | Some("coproc" | "in" | "always") => return,
                Some("esac") => {
                    *cases = cases.saturating_sub(1);
                    return;
                }
                Some("case") => {
                    *cases += 1;
                    open.ignored = true;
                    return;
                }
                Some("for" | "select" | "foreach" | "function") => {
                    open.ignored = true;
                    return;
                }
                _ => {}
            }
            if let Some(assignment) = word.assignment() {
                open.command.assignments.push(assignment);
                open.unknown |= !word.known;
                return;
            }
        }
        // `for a do`, `function f {`, `case a in`: what follows is at the place of a command again.
        if open.ignored {
            // The words of a loop are data, but a loop may run them: they are read as a command.
            open.ignored = !matches!(word.keyword(), Some("do" | "{" | "in"));
            return;
        }
        // `coproc NAME {`
        if word.keyword() == Some("{") && open.command.argv.len() == 1 {
            self.close(open);
            return;
        }
        open.started = true;
        open.unknown |= !word.known;
        open.command.argv.push(word.text);
    }

    fn close(&mut self, open: &mut Open) {
        let Open { mut command, unknown, .. } = std::mem::take(open);
        command.complete = !unknown;
        if command == (Simple { complete: true, ..Simple::default() }) {
            return;
        }
        if self.shared.found.len() < limits::SCAN_COMMANDS {
            self.shared.found.push(command);
        } else {
            self.shared.exhausted = true;
        }
    }

    fn comment(&mut self) {
        while self.peek().is_some_and(|character| character != '\n') {
            self.at += 1;
        }
    }

    /// Reads the bodies that the line before asked for.
    fn bodies(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        self.shared.doubtful_bodies |= pending.len() > 1;
        for pending in pending {
            let body = heredoc::body(&self.characters, self.at, &pending);
            self.at = body.next;
            self.shared.doubtful_bodies |= !body.closed;
            if pending.expands {
                self.expand(&body.text);
            }
            self.shared.bodies.push(body.text);
        }
    }

    fn expand(&mut self, text: &str) {
        Scanner::new(text, self.depth + 1, self.shared).expansions();
    }
}

/// Redirections.
impl Scanner<'_> {
    fn redirection(&mut self, open: &mut Open) {
        let mut operator = String::new();
        while let Some(character @ ('<' | '>' | '&' | '|')) = self.peek()
            && operator.len() < 3
            && !(matches!(character, '<' | '>') && self.peek_at(1) == Some('(') && !operator.is_empty())
        {
            operator.push(character);
            self.at += 1;
        }
        if operator == "<<" {
            return self.here_document();
        }
        self.blanks();
        let word = self.word();
        if operator == "<<<" {
            self.shared.bodies.push(word.text);
            return;
        }
        let copies = operator.ends_with('&');
        if copies && word.text.chars().all(|character| character.is_ascii_digit() || character == '-') {
            return;
        }
        let path = word.known.then_some(word.text);
        open.command.redirects.push(Redirect { writes: operator.contains('>'), path });
    }

    fn here_document(&mut self) {
        let strips = self.peek() == Some('-');
        self.at += usize::from(strips);
        self.blanks();
        let word = self.word();
        let usual = |character: char| character.is_ascii_alphanumeric() || character == '_';
        self.shared.doubtful_bodies |= !word.known || word.text.is_empty() || !word.text.chars().all(usual);
        self.pending.push(Pending { delimiter: word.text, expands: !word.quoted, strips });
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) || self.continued() {
            self.at += if self.continued() { 2 } else { 1 };
        }
    }
}

/// Words.
impl Scanner<'_> {
    fn word(&mut self) -> Word {
        let mut word = Word { known: true, ..Word::default() };
        while let Some(character) = self.peek() {
            let bare = !word.quoted;
            match character {
                _ if self.continued() => self.at += 2,
                // A substitution that a process reads or writes, or the first one of a word.
                '<' | '>' if self.peek_at(1) == Some('(') => self.substitution(&mut word, 2),
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\\' => {
                    word.quoted = true;
                    word.text.extend(self.peek_at(1));
                    self.at += 2;
                }
                '\'' => self.single_quoted(&mut word),
                '"' => self.double_quoted(&mut word),
                '`' => self.backquoted(&mut word),
                '$' => self.dollar(&mut word, false),
                _ => {
                    word.known &= !matches!(character, '*' | '?' | '[' | '{' | '~');
                    word.text.push(character);
                    self.at += 1;
                }
            }
            if bare && !word.quoted {
                word.bare = word.text.len();
            }
        }
        word
    }

    fn single_quoted(&mut self, word: &mut Word) {
        word.quoted = true;
        self.at += 1;
        while let Some(character) = self.peek() {
            self.at += 1;
            if character == '\'' {
                return;
            }
            word.text.push(character);
        }
        self.shared.exhausted = true;
    }

    fn double_quoted(&mut self, word: &mut Word) {
        word.quoted = true;
        self.at += 1;
        while let Some(character) = self.peek() {
            match character {
                '"' => {
                    self.at += 1;
                    return;
                }
                _ if self.continued() => self.at += 2,
                '\\' => {
                    match self.peek_at(1) {
                        Some(escaped @ ('"' | '\\' | '$' | '`')) => word.text.push(escaped),
                        other => word.text.extend(['\\'].into_iter().chain(other)),
                    }
                    self.at += 2;
                }
                '$' => self.dollar(word, true),
                '`' => self.backquoted(word),
                _ => {
                    word.text.push(character);
                    self.at += 1;
                }
            }
        }
        self.shared.exhausted = true;
    }

    fn ansi_quoted(&mut self, word: &mut Word) {
        word.quoted = true;
        self.at += 2;
        while let Some(character) = self.peek() {
            self.at += 1;
            match character {
                '\'' => return,
                '\\' => {
                    let (decoded, length) = quotes::ansi(&self.characters[self.at..]);
                    self.at += length;
                    word.text.push(decoded);
                }
                _ => word.text.push(character),
            }
        }
        self.shared.exhausted = true;
    }

    fn dollar(&mut self, word: &mut Word, quoted: bool) {
        match self.peek_at(1) {
            Some('(') => self.substitution(word, 2),
            Some('{') => self.parameter(word),
            Some('\'') if !quoted => self.ansi_quoted(word),
            // Translated by the shell; without a catalogue it is itself.
            Some('"') if !quoted => self.at += 1,
            _ => {
                word.known = false;
                word.text.push('$');
                self.at += 1;
            }
        }
    }

    /// `$(..)`, `<(..)`, `>(..)`, and `$((..))`, which may be either.
    fn substitution(&mut self, word: &mut Word, length: usize) {
        word.known = false;
        let start = self.at;
        self.at += length;
        self.nested();
        self.copy(word, start);
    }

    /// `${..}`: what it stands for is not known, but substitutions in it run.
    fn parameter(&mut self, word: &mut Word) {
        word.known = false;
        let start = self.at;
        self.at += 2;
        self.depth += 1;
        if self.depth > limits::SCAN_DEPTH {
            self.shared.exhausted = true;
            self.at = self.characters.len();
        }
        let mut inside = Word::default();
        while let Some(character) = self.peek() {
            match character {
                '}' => break,
                '\\' => self.at += 2,
                '\'' => self.quoted_in_parameter(),
                '"' => self.double_quoted(&mut inside),
                '`' => self.backquoted(&mut inside),
                '$' => self.dollar(&mut inside, false),
                _ => self.at += 1,
            }
        }
        self.depth -= 1;
        self.shared.exhausted |= self.peek().is_none();
        self.at += 1;
        self.copy(word, start);
    }

    /// Inside double quotes a single quote in `${..}` may be just a character, so what is in it is read both ways.
    fn quoted_in_parameter(&mut self) {
        let start = self.at + 1;
        let rest = self.characters.get(start..).unwrap_or_default();
        let Some(length) = rest.iter().position(|&character| character == '\'') else {
            self.at += 1;
            return;
        };
        let text = rest[..length].iter().collect::<String>();
        self.expand(&text);
        self.at = start + length + 1;
    }

    fn backquoted(&mut self, word: &mut Word) {
        word.known = false;
        let start = self.at;
        self.at += 1;
        let mut inside = String::new();
        while let Some(character) = self.peek()
            && character != '`'
        {
            self.at += 1;
            if character == '\\' && matches!(self.peek(), Some('`' | '\\' | '$')) {
                inside.extend(self.peek());
                self.at += 1;
            } else {
                inside.push(character);
            }
        }
        self.shared.exhausted |= self.peek().is_none();
        self.at += 1;
        Scanner::new(&inside, self.depth + 1, self.shared).script();
        self.copy(word, start);
    }

    /// Keeps what was written, where its value is not known.
    fn copy(&mut self, word: &mut Word, start: usize) {
        self.at = self.at.min(self.characters.len());
        word.text.extend(&self.characters[start..self.at]);
    }

    fn continued(&self) -> bool {
        self.peek() == Some('\\') && self.peek_at(1) == Some('\n')
    }

    fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}
