//! Words of an opaque script: quotes, substitutions, parameters.

use super::quotes;
use super::scanner::Scanner;
use super::word::Word;
use crate::shell::limits;

impl Scanner<'_> {
    pub(super) fn word(&mut self) -> Word {
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
                '`' => self.backquoted(&mut word, false),
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
        self.shared.uncertain = true;
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
                '`' => self.backquoted(word, true),
                _ => {
                    word.text.push(character);
                    self.at += 1;
                }
            }
        }
        self.shared.uncertain = true;
    }

    fn ansi_quoted(&mut self, word: &mut Word) {
        word.quoted = true;
        self.at += 2;
        while let Some(character) = self.peek() {
            self.at += 1;
            match character {
                '\'' => return,
                '\\' => {
                    // A shell without these quotes ends the word here.
                    self.shared.uncertain |= self.peek() == Some('\'');
                    let (decoded, length) = quotes::ansi(&self.characters[self.at..]);
                    self.at += length;
                    word.text.push(decoded);
                }
                _ => word.text.push(character),
            }
        }
        self.shared.uncertain = true;
    }

    pub(super) fn dollar(&mut self, word: &mut Word, quoted: bool) {
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
            self.shared.uncertain = true;
            self.at = self.characters.len();
        }
        let mut inside = Word::default();
        while let Some(character) = self.peek() {
            // What a quote means here depends on the operator, on quotes around it and on the shell.
            self.shared.uncertain |= matches!(character, '\'' | '"' | '\\');
            match character {
                '}' => break,
                '\\' => self.at += 2,
                '\'' => self.quoted_in_parameter(),
                '"' => self.double_quoted(&mut inside),
                '`' => self.backquoted(&mut inside, true),
                '$' => self.dollar(&mut inside, false),
                _ => self.at += 1,
            }
        }
        self.depth -= 1;
        self.shared.uncertain |= self.peek().is_none();
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

    /// Inside double quotes a backslash before a double quote is taken off, too.
    pub(super) fn backquoted(&mut self, word: &mut Word, quoted: bool) {
        word.known = false;
        let start = self.at;
        self.at += 1;
        let mut inside = String::new();
        while let Some(character) = self.peek()
            && character != '`'
        {
            self.at += 1;
            let in_quotes = quoted && self.peek() == Some('"');
            if character == '\\' && (in_quotes || matches!(self.peek(), Some('`' | '\\' | '$'))) {
                self.shared.uncertain |= in_quotes;
                inside.extend(self.peek());
                self.at += 1;
            } else {
                inside.push(character);
            }
        }
        self.shared.uncertain |= self.peek().is_none();
        self.at += 1;
        Scanner::new(&inside, self.depth + 1, self.shared).script();
        self.copy(word, start);
    }

    /// Keeps what was written, where its value is not known.
    fn copy(&mut self, word: &mut Word, start: usize) {
        self.at = self.at.min(self.characters.len());
        word.text.extend(&self.characters[start..self.at]);
    }
}
