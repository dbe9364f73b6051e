//! The tokens of a source as one flat list, with those in macros and without comments.

use ra_ap_rustc_lexer::{FrontmatterAllowed, LiteralKind, TokenKind, tokenize};

/// A source in two parts: what the compiler reads, and what people read.
#[derive(Default)]
pub(super) struct Tokens<'a> {
    pub(super) code: Vec<Token<'a>>,
    /// Each line of a comment, doc comments among them.
    pub(super) comments: Vec<(usize, &'a str)>,
}

/// One token of code. Lines are counted from 1.
#[derive(Clone, Copy)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind,
    /// As it stands in the source, without the mark of a raw identifier.
    pub(super) text: &'a str,
    pub(super) line: usize,
    pub(super) last_line: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Mark,
    Literal,
    Open,
    Close,
}

/// Why a source could not be read.
pub(crate) struct Broken {
    pub(crate) line: usize,
    pub(crate) reason: &'static str,
}

/// # Errors
/// When it cannot be Rust: something is opened and not closed, or a character has no meaning.
pub(super) fn read(source: &str) -> Result<Tokens<'_>, Broken> {
    let mut tokens = Tokens::default();
    let (mut at, mut line) = (0, 1);
    for token in tokenize(source, FrontmatterAllowed::No) {
        let end = at + token.len as usize;
        let text = &source[at..end];
        let last_line = line + newlines(token.kind, text);
        if let Some(reason) = flaw(token.kind) {
            return Err(Broken { line, reason });
        }
        if matches!(token.kind, TokenKind::LineComment { .. } | TokenKind::BlockComment { .. }) {
            tokens.comments.extend((line..).zip(text.lines()));
        } else if let Some(kind) = kind(token.kind) {
            let text = text.strip_prefix("r#").filter(|_| kind == Kind::Word).unwrap_or(text);
            tokens.code.push(Token { kind, text, line, last_line });
        }
        (at, line) = (end, last_line);
    }
    match unbalanced(&tokens.code) {
        Some(line) => Err(Broken { line, reason: "a bracket has no counterpart" }),
        None => Ok(tokens),
    }
}

impl Token<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text && self.kind != Kind::Literal
    }
}

/// The tokens within the brackets that open at `open`, up to the end if nothing closes them.
pub(super) fn within<'t, 'a>(tokens: &'t [Token<'a>], open: usize) -> &'t [Token<'a>] {
    let mut depth = 0_usize;
    let close = tokens[open..].iter().position(|token| {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Word | Kind::Mark | Kind::Literal => {}
        }
        depth == 0
    });
    let behind = &tokens[open + 1..];
    &behind[..close.map_or(behind.len(), |close| close.saturating_sub(1))]
}

/// Asked of those only that may hold one: most tokens are words and marks.
fn newlines(kind: TokenKind, text: &str) -> usize {
    let may_hold =
        matches!(kind, TokenKind::Whitespace | TokenKind::BlockComment { .. } | TokenKind::Literal { .. });
    if may_hold { text.matches('\n').count() } else { 0 }
}

/// None for what is no code.
fn kind(kind: TokenKind) -> Option<Kind> {
    Some(match kind {
        TokenKind::Ident | TokenKind::RawIdent | TokenKind::ForcedKeywordIdent | TokenKind::UnknownPrefix => {
            Kind::Word
        }
        TokenKind::Literal { .. } => Kind::Literal,
        TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::OpenBracket => Kind::Open,
        TokenKind::CloseParen | TokenKind::CloseBrace | TokenKind::CloseBracket => Kind::Close,
        TokenKind::Whitespace | TokenKind::Eof => return None,
        _ => Kind::Mark,
    })
}

fn flaw(kind: TokenKind) -> Option<&'static str> {
    match kind {
        TokenKind::BlockComment { terminated: false, .. } => Some("a comment has no end"),
        TokenKind::Literal { kind, .. } if !is_whole(kind) => Some("a literal has no end"),
        TokenKind::Unknown | TokenKind::InvalidIdent => Some("a character has no meaning"),
        _ => None,
    }
}

fn is_whole(literal: LiteralKind) -> bool {
    match literal {
        LiteralKind::Char { terminated }
        | LiteralKind::Byte { terminated }
        | LiteralKind::Str { terminated }
        | LiteralKind::ByteStr { terminated }
        | LiteralKind::CStr { terminated } => terminated,
        LiteralKind::RawStr { n_hashes }
        | LiteralKind::RawByteStr { n_hashes }
        | LiteralKind::RawCStr { n_hashes } => n_hashes.is_some(),
        LiteralKind::Int { .. } | LiteralKind::Float { .. } => true,
    }
}

/// The line of the first bracket that closes another than was opened, or else of the last that is not closed.
fn unbalanced(code: &[Token<'_>]) -> Option<usize> {
    let mut open: Vec<&Token<'_>> = Vec::new();
    for token in code {
        match token.kind {
            Kind::Open => open.push(token),
            Kind::Close if !open.pop().is_some_and(|open| closes(open, token)) => return Some(token.line),
            _ => {}
        }
    }
    open.pop().map(|token| token.line)
}

fn closes(open: &Token<'_>, close: &Token<'_>) -> bool {
    matches!((open.text, close.text), ("(", ")") | ("[", "]") | ("{", "}"))
}

#[cfg(test)]
mod tests {
    use super::{Tokens, read, within};

    #[track_caller]
    fn tokens(source: &str) -> Tokens<'_> {
        read(source).unwrap_or_else(|broken| panic!("line {}: {}", broken.line, broken.reason))
    }

    #[test]
    fn code_is_told_from_comments() {
        let found = tokens("//! a\n#![b] /* c\n/* d */ */\nr#fn('e', 'f, r#\"// \"g\"#, \"\\\"h\ni\") // j");
        let code: Vec<_> = found.code.iter().map(|token| token.text).collect();
        let expect = [
            "#",
            "!",
            "[",
            "b",
            "]",
            "fn",
            "(",
            "'e'",
            ",",
            "'f",
            ",",
            "r#\"// \"g\"#",
            ",",
            "\"\\\"h\ni\"",
            ")",
        ];
        assert_eq!(code, expect);
        assert_eq!(found.comments, [(1, "//! a"), (2, "/* c"), (3, "/* d */ */"), (5, "// j")]);
        let lines: Vec<_> = found.code.iter().skip(12).map(|token| (token.line, token.last_line)).collect();
        assert_eq!(lines, [(4, 4), (4, 5), (5, 5)]);
    }

    #[test]
    fn brackets_of_all_kinds_nest() {
        let found = tokens("x(a[b]{c})d");
        assert_eq!(within(&found.code, 1).len(), 7);
        assert_eq!(within(&found.code[..5], 1).len(), 3);
    }

    #[test]
    fn what_cannot_be_rust_is_told_with_its_line() {
        for bad in ["\nf(", "\n(]", "\n}", "\n\"a\n", "\nr#\"a\"", "\n'\\", "\n/* a\n", "\n\u{7f}", "{\n{\n}"]
        {
            assert!(read(bad).is_err_and(|broken| broken.line == 2 || bad.starts_with('{')), "{bad:?}");
        }
    }
}
