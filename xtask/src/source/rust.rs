//! One Rust source in the views that rules need.

use super::paths::{NamedPath, paths};
use super::test_code::{attribute, separate};
use super::tokens::{Broken, Kind, Token, read, within};

/// A source that could be read. Lines are counted from 1.
#[derive(Default)]
pub(crate) struct Rust {
    /// Every identifier and keyword, those of tests and macros among them.
    pub(crate) words: Vec<Word>,
    /// Every attribute, those of tests and macros among them.
    pub(crate) attributes: Vec<Attribute>,
    /// Each line of a comment, doc comments among them.
    pub(crate) comments: Vec<(usize, String)>,
    /// The code that ships. Empty in a file that is compiled for tests only.
    pub(crate) product: Product,
    /// The modules that this file declares for tests only.
    pub(crate) test_modules: Vec<String>,
}

/// The code that ships, in macros too.
#[derive(Default)]
pub(crate) struct Product {
    pub(crate) paths: Vec<NamedPath>,
    pub(crate) functions: Vec<Function>,
    /// On how many lines there is code.
    pub(crate) lines: usize,
}

pub(crate) struct Word {
    pub(crate) line: usize,
    pub(crate) text: String,
}

/// One `#[..]` or `#![..]`.
pub(crate) struct Attribute {
    pub(crate) line: usize,
    pub(crate) is_inner: bool,
    /// Its identifiers, in order.
    pub(crate) words: Vec<String>,
}

/// One function that has a body.
pub(crate) struct Function {
    pub(crate) line: usize,
    pub(crate) name: String,
    /// On how many lines of its body there is code.
    pub(crate) lines: usize,
}

impl Rust {
    /// # Errors
    /// When it cannot be Rust.
    pub(crate) fn new(source: &str) -> Result<Self, Broken> {
        let tokens = read(source)?;
        let separated = separate(&tokens.code);
        let comments = tokens.comments.iter().map(|(line, text)| (*line, (*text).to_owned()));
        Ok(Self {
            words: words(&tokens.code),
            attributes: attributes(&tokens.code),
            comments: comments.collect(),
            product: Product {
                paths: paths(&separated.product),
                functions: functions(&separated.product),
                lines: lines(&separated.product),
            },
            test_modules: separated.test_modules,
        })
    }
}

fn words(tokens: &[Token<'_>]) -> Vec<Word> {
    let words = tokens.iter().filter(|token| token.kind == Kind::Word);
    words.map(|token| Word { line: token.line, text: token.text.to_owned() }).collect()
}

fn attributes(tokens: &[Token<'_>]) -> Vec<Attribute> {
    let found = (0..tokens.len()).filter_map(|at| Some((tokens[at].line, attribute(tokens, at)?)));
    found
        .map(|(line, attribute)| {
            let words = words(attribute.inside).into_iter().map(|word| word.text).collect();
            Attribute { line, is_inner: attribute.is_inner, words }
        })
        .collect()
}

fn functions(tokens: &[Token<'_>]) -> Vec<Function> {
    let starts = tokens.iter().enumerate().filter(|(_, token)| token.is("fn"));
    let function = |(at, token): (usize, &Token<'_>)| {
        // `fn(u8) -> u8` is a type: it has no name.
        let name = tokens.get(at + 1).filter(|name| name.kind == Kind::Word)?;
        let body = body(tokens, at + 2)?;
        Some(Function { line: token.line, name: name.text.to_owned(), lines: lines(body) })
    };
    starts.filter_map(function).collect()
}

/// On how many lines these tokens stand; a literal may have several.
fn lines(tokens: &[Token<'_>]) -> usize {
    let mut counted = 0;
    let mut lines = 0;
    for token in tokens {
        lines += token.last_line.saturating_sub(counted.max(token.line - 1));
        counted = token.last_line;
    }
    lines
}

/// The body behind a signature, or none if that ends in a semicolon.
fn body<'t, 'a>(tokens: &'t [Token<'a>], mut at: usize) -> Option<&'t [Token<'a>]> {
    loop {
        let token = tokens.get(at)?;
        match token.kind {
            Kind::Open if token.is("{") => return Some(within(tokens, at)),
            Kind::Open => at += within(tokens, at).len() + 2,
            Kind::Close => return None,
            _ if token.is(";") => return None,
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Rust;

    #[track_caller]
    fn read(source: &str) -> Rust {
        Rust::new(source).unwrap_or_else(|broken| panic!("line {}: {}", broken.line, broken.reason))
    }

    #[test]
    fn bodies_are_found_behind_any_signature() {
        let rust = read(
            "fn a() { x }\nfn b<T: Fn() -> u8>(x: [u8; 2]) -> T where T: Copy {\n{\n y\n\n }\n}\n\
             trait T { fn c(); } type F = fn(u8) -> u8;\nm! { fn d() { \"\n\n\" } }",
        );
        let found: Vec<_> =
            rust.product.functions.iter().map(|it| (it.name.as_str(), it.line, it.lines)).collect();
        assert_eq!(found, [("a", 1, 1), ("b", 2, 3), ("d", 9, 3)]);
    }

    #[test]
    fn attributes_are_found_in_macros_too() {
        let rust = read("#![no_std]\n#[derive(A)] struct B;\nfn f() { x[0]; m!(#[a(b[1], \"c\")]) } // #[d]");
        let found: Vec<_> =
            rust.attributes.iter().map(|it| (it.line, it.is_inner, it.words.join(" "))).collect();
        let expect = [(1, true, "no_std"), (2, false, "derive A"), (3, false, "a b")];
        assert_eq!(found, expect.map(|(line, is_inner, words)| (line, is_inner, words.to_owned())));
    }
}
