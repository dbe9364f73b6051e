//! Reads a script from left to right and notes every command in it.

use super::heredoc::{self, Pending};
use super::word::Word;
use crate::shell::{Simple, limits};

/// What the scans of the parts of one script have in common.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) found: Vec<Simple>,
    /// Bodies of here-documents and here-strings.
    pub(super) bodies: Vec<String>,
    /// What was found may not be all: a limit was reached, something did not end, or shells differ in where a quote or
    /// a here-document ends, and what one takes for text another one runs.
    pub(super) uncertain: bool,
    /// Bytes that were read, some of them several times.
    pub(super) read: usize,
}

/// One text that is read: the script, the inside of backquotes, a body.
pub(super) struct Scanner<'a> {
    pub(super) characters: Vec<char>,
    pub(super) at: usize,
    pub(super) depth: usize,
    pub(super) pending: Vec<Pending>,
    pub(super) shared: &'a mut Shared,
}

/// What ends a list of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Text,
    Parenthesis,
}

/// The command that is being read.
#[derive(Default)]
pub(super) struct Open {
    pub(super) command: Simple,
    unknown: bool,
    /// The next word is the name of a loop or function, or what `case` looks at.
    named: bool,
    /// `coproc` stands before it, so that its first word may be a name.
    coprocess: bool,
}

/// What starts a compound command.
const COMPOUND: &[&str] = &["{", "if", "while", "until", "for", "case", "select", "!", "function"];

impl Open {
    /// Whether a compound command may follow the words so far.
    fn is_prefix(&self) -> bool {
        match self.command.argv.split_first() {
            Some((_, rest)) if self.coprocess => rest.is_empty(),
            Some((name, rest)) => name == "time" && rest.iter().all(|word| word.starts_with('-')),
            None => false,
        }
    }
}

impl<'a> Scanner<'a> {
    pub(super) fn new(text: &str, depth: usize, shared: &'a mut Shared) -> Self {
        shared.read += text.len();
        let within = shared.read <= limits::SCAN_WORK;
        shared.uncertain |= !within;
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
                '`' => self.backquoted(&mut ignored, true),
                '\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
    }

    fn list(&mut self, end: End) {
        if self.depth > limits::SCAN_DEPTH {
            self.shared.uncertain = true;
            self.at = self.characters.len();
            return;
        }
        let mut open = Open::default();
        let mut cases = 0_usize;
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' => self.at += 1,
                _ if self.continued() => self.at += 2,
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
                    // Behind which of its lines the body starts is read differently.
                    self.shared.uncertain |= !self.pending.is_empty() && word.text.contains('\n');
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
        self.shared.uncertain |= end != End::Text;
    }

    /// The inside of parentheses, as commands.
    pub(super) fn nested(&mut self) {
        // A here-document whose body is on the other side of a parenthesis has none for some shells.
        self.shared.uncertain |= !self.pending.is_empty();
        self.depth += 1;
        self.list(End::Parenthesis);
        self.depth -= 1;
        self.shared.uncertain |= !self.pending.is_empty();
    }

    /// Puts a word where it belongs: the grammar, an assignment, the name or an argument.
    fn place(&mut self, open: &mut Open, word: Word, cases: &mut usize) {
        if std::mem::take(&mut open.named) {
            return;
        }
        // `time -p {`, `coproc NAME if`: the place of a command again.
        if word.keyword().is_some_and(|keyword| COMPOUND.contains(&keyword)) && open.is_prefix() {
            self.close(open);
        }
        if open.command.argv.is_empty() {
            match word.keyword() {
                Some("if" | "then" | "else" | "elif" | "do" | "while" | "until" | "fi" | "done") => return,
                Some("!" | "{" | "}" | "in") => return,
                Some("coproc") => {
                    open.coprocess = true;
                    return;
                }
                Some("esac") => {
                    *cases = cases.saturating_sub(1);
                    return;
                }
                Some(keyword @ ("case" | "for" | "select" | "function")) => {
                    *cases += usize::from(keyword == "case");
                    open.named = true;
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
        // The words of a loop, behind `in`, are data; but the loop may run them, so they are read as a command.
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
            self.shared.uncertain = true;
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
        self.shared.uncertain |= pending.len() > 1;
        for pending in pending {
            let body = heredoc::body(&self.characters, self.at, &pending);
            self.at = body.next;
            self.shared.uncertain |= !body.certain;
            if pending.expands {
                self.expand(&body.text);
            }
            self.shared.bodies.push(body.text);
        }
    }

    pub(super) fn continued(&self) -> bool {
        self.peek() == Some('\\') && self.peek_at(1) == Some('\n')
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    pub(super) fn expand(&mut self, text: &str) {
        Scanner::new(text, self.depth + 1, self.shared).expansions();
    }
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}
