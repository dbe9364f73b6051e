//! The tokens of a plain script: words whose value needs no shell, and a handful of operators.

use super::step::Join;

/// One token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    Join(Join),
    /// A line break: ends a command, and nothing behind an operator that waits for one.
    Line,
    Redirect(Redirection),
}

/// A word with its quotes taken off.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// How many bytes of the text stood before the first quote: only there does `NAME=` assign.
    pub(super) bare: usize,
}

/// An operator that connects a descriptor; the path of a file is the word that follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Redirection {
    Read(u8),
    Write(u8),
    Append(u8),
    Duplicate { descriptor: u8, of: u8 },
}

/// Reads all tokens of `script`, or says what in it is not plain.
pub(super) fn tokens(script: &str) -> Result<Vec<Token>, String> {
    let characters = script.chars().collect::<Vec<_>>();
    let mut lexer = Lexer { characters: &characters, at: 0 };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.token()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    characters: &'a [char],
    at: usize,
}

impl Lexer<'_> {
    fn token(&mut self) -> Result<Option<Token>, String> {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        let Some(first) = self.peek() else { return Ok(None) };
        if let Some(digit) = first.to_digit(10)
            && matches!(self.peek_at(1), Some('<' | '>'))
        {
            self.at += 1;
            return self.redirection(Some(digit)).map(Some);
        }
        match first {
            '\n' => self.take(1, Token::Line),
            ';' if self.peek_at(1) == Some(';') => Err("`;;`".to_owned()),
            ';' => self.take(1, Token::Join(Join::Then)),
            '&' if self.peek_at(1) == Some('&') => self.take(2, Token::Join(Join::And)),
            '&' if self.peek_at(1) == Some('>') => Err("`&>`".to_owned()),
            '&' => Err("a command in the background (`&`)".to_owned()),
            '|' if self.peek_at(1) == Some('|') => self.take(2, Token::Join(Join::Or)),
            '|' if self.peek_at(1) == Some('&') => Err("`|&`".to_owned()),
            '|' => self.take(1, Token::Join(Join::Pipe)),
            '<' | '>' => self.redirection(None).map(Some),
            _ => self.word().map(|word| Some(Token::Word(word))),
        }
    }

    fn redirection(&mut self, digit: Option<u32>) -> Result<Token, String> {
        let operator = self.peek();
        self.at += 1;
        let standard = if operator == Some('<') { 0 } else { 1 };
        let descriptor = digit.and_then(|digit| u8::try_from(digit).ok()).unwrap_or(standard);
        let redirection = match (operator, self.peek()) {
            (Some('<'), Some('<')) => return Err("a here-document or here-string (`<<`)".to_owned()),
            (_, Some('(')) => return Err("a process substitution".to_owned()),
            (_, Some('|')) => return Err("`>|`".to_owned()),
            (Some('<'), Some('>' | '&')) => return Err("`<>` or `<&`".to_owned()),
            (Some('<'), _) => Redirection::Read(descriptor),
            (_, Some('>')) => {
                self.at += 1;
                Redirection::Append(descriptor)
            }
            (_, Some('&')) => {
                self.at += 1;
                Redirection::Duplicate { descriptor, of: self.duplicated()? }
            }
            _ => Redirection::Write(descriptor),
        };
        Ok(Token::Redirect(redirection))
    }

    /// The one digit behind `>&`, which ends the word.
    fn duplicated(&mut self) -> Result<u8, String> {
        let digit =
            self.peek().and_then(|digit| digit.to_digit(10)).and_then(|digit| u8::try_from(digit).ok());
        self.at += 1;
        match digit {
            Some(digit) if self.is_end(0) => Ok(digit),
            _ => Err("`>&` before something else than one digit".to_owned()),
        }
    }

    fn word(&mut self) -> Result<Word, String> {
        let mut word = Word::default();
        let mut quoted = false;
        while let Some(character) = self.peek() {
            match character {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' => break,
                '\'' => self.single_quoted(&mut word.text)?,
                '"' => self.double_quoted(&mut word.text)?,
                // zsh puts the path of a program for `=name`.
                '=' if word.text.is_empty() => return Err("a word that starts with `=`".to_owned()),
                // Alone it is the command, or the end of it; inside a word it is a pattern.
                '[' | ']' if word.text.is_empty() && !quoted && self.is_end(1) => {
                    self.at += 1;
                    word.text.push(character);
                    break;
                }
                _ if is_bare(character) => {
                    self.at += 1;
                    word.text.push(character);
                }
                _ => return Err(format!("`{character}` outside quotes")),
            }
            quoted |= matches!(character, '\'' | '"');
            if !quoted {
                word.bare = word.text.len();
            }
        }
        // `12>a` is a word to some shells and a descriptor to others.
        if matches!(self.peek(), Some('<' | '>'))
            && !quoted
            && word.text.bytes().all(|byte| byte.is_ascii_digit())
        {
            return Err("a descriptor of more than one digit".to_owned());
        }
        Ok(word)
    }

    fn single_quoted(&mut self, text: &mut String) -> Result<(), String> {
        self.at += 1;
        while let Some(character) = self.peek() {
            self.at += 1;
            if character == '\'' {
                return Ok(());
            }
            text.push(character);
        }
        Err("a quote that is not closed".to_owned())
    }

    fn double_quoted(&mut self, text: &mut String) -> Result<(), String> {
        self.at += 1;
        while let Some(character) = self.peek() {
            self.at += 1;
            match character {
                '"' => return Ok(()),
                '$' => return Err("`$` in double quotes".to_owned()),
                '`' => return Err("a backquote in double quotes".to_owned()),
                '\\' => match self.peek() {
                    Some(escaped @ ('"' | '\\' | '$' | '`')) => {
                        self.at += 1;
                        text.push(escaped);
                    }
                    Some('\n') => return Err("a continued line".to_owned()),
                    _ => text.push('\\'),
                },
                _ => text.push(character),
            }
        }
        Err("a quote that is not closed".to_owned())
    }

    fn is_end(&self, ahead: usize) -> bool {
        matches!(self.peek_at(ahead), None | Some(' ' | '\t' | '\n' | ';' | '|' | '&'))
    }

    fn take(&mut self, length: usize, token: Token) -> Result<Option<Token>, String> {
        self.at += length;
        Ok(Some(token))
    }

    fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    fn peek_at(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }
}

/// Characters that are only ever themselves, in every shell and at every place of a word.
fn is_bare(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_./,:@%+=-".contains(character)
}
