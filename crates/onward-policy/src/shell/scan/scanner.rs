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
    /// Where a body starts or ends is not certain.
    pub(super) doubtful_bodies: bool,
    /// A limit was reached, or something did not end: what was found may not be all.
    pub(super) exhausted: bool,
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
    pub(super) fn nested(&mut self) {
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
