//! Finds the test code in a source, so that rules for the product leave it out.

use super::tokens::{Kind, Token, within};

/// A source without what is compiled only for tests.
#[derive(Default)]
pub(super) struct Separated<'a> {
    /// The code that ships.
    pub(super) product: Vec<Token<'a>>,
    /// The modules declared as `#[cfg(test)] mod name;`: their files hold test code only.
    pub(super) test_modules: Vec<String>,
}

/// One `#[..]` or `#![..]`.
pub(super) struct Brackets<'t, 'a> {
    pub(super) is_inner: bool,
    pub(super) inside: &'t [Token<'a>],
    /// How many tokens there are, those outside of the brackets and themselves among them.
    pub(super) length: usize,
}

pub(super) fn separate<'a>(tokens: &[Token<'a>]) -> Separated<'a> {
    let mut found = Separated::default();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match attribute(tokens, at).filter(is_test_only) {
            // All of the file.
            Some(attribute) if attribute.is_inner => return Separated::default(),
            Some(attribute) => {
                let item = &tokens[at + attribute.length..];
                let item = &item[..item_length(item)];
                found.test_modules.extend(declared_module(item));
                at += attribute.length + item.len();
            }
            None => {
                found.product.push(*token);
                at += 1;
            }
        }
    }
    found
}

/// The attribute that begins at this token, if one does.
pub(super) fn attribute<'t, 'a>(tokens: &'t [Token<'a>], at: usize) -> Option<Brackets<'t, 'a>> {
    tokens.get(at).filter(|token| token.is("#"))?;
    let is_inner = tokens.get(at + 1)?.is("!");
    let open = at + 1 + usize::from(is_inner);
    let inside = tokens.get(open)?.is("[").then(|| within(tokens, open))?;
    Some(Brackets { is_inner, inside, length: open - at + inside.len() + 2 })
}

/// `cfg(test)`, or `cfg(all(.., test, ..))`. Not `cfg(any(test, ..))`: that is compiled without tests too.
fn is_test_only(attribute: &Brackets<'_, '_>) -> bool {
    let text: String = attribute.inside.iter().map(|token| token.text).collect();
    let mut all = text.strip_prefix("cfg(all(").unwrap_or_default().trim_end_matches(')').split(',');
    // What stands behind a condition that has parts of its own may be one of those parts.
    text == "cfg(test)" || all.by_ref().take_while(|part| !part.contains('(')).any(|part| part == "test")
}

/// Of how many tokens the item consists that begins here: up to its semicolon, or to the end of its block.
fn item_length(tokens: &[Token<'_>]) -> usize {
    let start = head_length(tokens);
    let word = |at: usize| tokens.get(at).map_or("", |token| token.text);
    // A block inside these belongs to a path or a value; the item goes on to its semicolon.
    let ends_in_semicolon = match word(start) {
        "use" | "static" | "type" | "let" => true,
        "const" => !matches!(word(start + 1), "fn" | "unsafe" | "async" | "extern"),
        _ => false,
    };
    // A field, a variant or a match arm is no item: it ends at its comma, so that its neighbours stay.
    let ends_in_comma = !ITEM_WORDS.contains(&word(start));
    let mut at = start;
    while let Some(token) = tokens.get(at) {
        match token.kind {
            Kind::Close => return at,
            Kind::Open => {
                at += within(tokens, at).len() + 2;
                if token.is("{") && !ends_in_semicolon {
                    return at.min(tokens.len());
                }
            }
            _ if token.is(";") || (token.is(",") && ends_in_comma) => return at + 1,
            _ => at += 1,
        }
    }
    tokens.len()
}

/// Of how many tokens the further attributes and the visibility consist.
fn head_length(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    while let Some(attribute) = attribute(tokens, at) {
        at += attribute.length;
    }
    if tokens.get(at).is_some_and(|token| token.is("pub")) {
        at += 1;
        if tokens.get(at).is_some_and(|token| token.is("(")) {
            at += within(tokens, at).len() + 2;
        }
    }
    at
}

const ITEM_WORDS: &[&str] = &[
    "mod",
    "fn",
    "use",
    "struct",
    "enum",
    "union",
    "trait",
    "impl",
    "const",
    "static",
    "type",
    "let",
    "extern",
    "unsafe",
    "async",
    "macro_rules",
];

fn declared_module(item: &[Token<'_>]) -> Option<String> {
    match item {
        [.., word, name, end] if word.is("mod") && end.is(";") => Some(name.text.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Separated, separate};
    use crate::source::tokens;

    fn read(code: &str) -> Separated<'_> {
        tokens::read(code).map_or(Separated::default(), |tokens| separate(&tokens.code))
    }

    #[track_caller]
    fn check(code: &str, product: &str) {
        let words: Vec<_> = read(code).product.iter().map(|token| token.text).collect();
        assert_eq!(words.join(" "), product);
    }

    #[test]
    fn test_items_go_wherever_they_stand() {
        check("a; #[cfg(test)] mod tests { b { c } } d", "a ; d");
        check("#[cfg(test)] use x::{y, z}; a", "a");
        check("#[cfg(test)] #[expect(dead_code)] pub(crate) fn f() -> [u8; 2] { b } a", "a");
        check("#[cfg(test)] const X: T = T { a: 1 }; a", "a");
        check("#[cfg(test)] const fn f<T, U>() { a } b", "b");
        check("#[cfg(all(test, unix))] extern crate std; a", "a");
        check("#[cfg(all(unix, test))] impl A { } a", "a");
        check("struct S { #[cfg(test)] x: u8, y: u8 }", "struct S { y : u8 }");
        check(
            "fn f() { #[cfg(test)] g(); #[cfg(test)] let a = B { c }; m!(#[cfg(test)] h) }",
            "fn f ( ) { m ! ( ) }",
        );
    }

    #[test]
    fn what_is_also_compiled_without_tests_stays() {
        for condition in ["any(test, unix)", "not(test)", "all(unix, any(a, test, b))", "testing"] {
            assert_eq!(
                read(&format!("#[cfg({condition})] mod a;")).product.last().map(|it| it.text),
                Some(";")
            );
        }
    }

    #[test]
    fn modules_in_other_files_are_named() {
        let found = read(
            "mod a; #[cfg(test)] mod tests; #[cfg(test)] #[path = \"x\"] pub(crate) mod support; mod b;",
        );
        assert_eq!(found.test_modules, ["tests", "support"]);
        assert!(read("#![cfg(test)] mod a;").product.is_empty());
    }

    #[test]
    fn unfinished_code_ends() {
        check("#[cfg(test)] mod a", "");
        check("a #[cfg(test)]", "a");
    }
}
