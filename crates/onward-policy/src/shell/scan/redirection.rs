//! Redirections of an opaque script.

use super::heredoc::Pending;
use super::scanner::{Open, Scanner};
use crate::shell::Redirect;

impl Scanner<'_> {
    pub(super) fn redirection(&mut self, open: &mut Open) {
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
        if operator == "<>" {
            // Opened for both.
            open.command.redirects.push(Redirect { writes: false, path: path.clone() });
        }
        open.command.redirects.push(Redirect { writes: operator.contains('>'), path });
    }

    fn here_document(&mut self) {
        let strips = self.peek() == Some('-');
        self.at += usize::from(strips);
        self.blanks();
        let word = self.word();
        let usual = |character: char| character.is_ascii_alphanumeric() || character == '_';
        self.shared.uncertain |= !word.known || word.text.is_empty() || !word.text.chars().all(usual);
        self.pending.push(Pending { delimiter: word.text, expands: !word.quoted, strips });
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(' ' | '\t')) || self.continued() {
            self.at += if self.continued() { 2 } else { 1 };
        }
    }
}
