//! Finds the test code in a source, so that rules for the product leave it out.

use super::attributes::attributes;
use super::blocks::{after_block, skip_space};
use super::words::is_word;

/// What of a source is compiled only for tests.
pub(crate) struct TestCode {
    /// The masked code with every test item blank.
    pub(crate) product: String,
    /// The modules declared as `#[cfg(test)] mod name;`: their files hold test code only.
    pub(crate) modules: Vec<String>,
    /// `#![cfg(test)]`: the whole file.
    pub(crate) whole: bool,
}

pub(crate) fn separate(code: &str) -> TestCode {
    let mut product = code.as_bytes().to_vec();
    let mut modules = Vec::new();
    let mut whole = false;
    let mut done = 0;
    for attribute in attributes(code) {
        if attribute.at < done || !is_test_only(attribute.text) {
            continue;
        }
        if attribute.text.starts_with("#!") {
            whole = true;
            done = code.len();
            blank(&mut product);
        } else {
            let start = attribute.at + attribute.text.len();
            done = item_end(code.as_bytes(), start);
            modules.extend(declared_module(&code[start..done]));
            blank(&mut product[attribute.at..done]);
        }
    }
    TestCode { product: String::from_utf8_lossy(&product).into_owned(), modules, whole }
}

/// `cfg(test)`, or `cfg(all(test, ..))`. Not `cfg(any(test, ..))`: that is compiled without tests too.
fn is_test_only(attribute: &str) -> bool {
    let text: String = attribute.chars().filter(|character| !character.is_whitespace()).collect();
    let inner = text.trim_start_matches(['#', '!', '[']);
    inner == "cfg(test)]" || inner.starts_with("cfg(all(test,") || inner.starts_with("cfg(all(test)")
}

fn blank(code: &mut [u8]) {
    for byte in code {
        if !byte.is_ascii_whitespace() {
            *byte = b' ';
        }
    }
}

/// Where the item that starts at `at` ends: at its semicolon, or behind its block.
fn item_end(code: &[u8], mut at: usize) -> usize {
    at = skip_space(code, at);
    while code.get(at) == Some(&b'#') {
        at = skip_space(code, after_block(code, at));
    }
    let first = first_word(code, at);
    // A block inside these belongs to a path or a value; the item goes on to its semicolon.
    let ends_in_semicolon = match first {
        b"use" | b"static" | b"type" | b"let" => true,
        b"const" => {
            !matches!(first_word(code, skip_space(code, at + first.len())), b"fn" | b"unsafe" | b"async")
        }
        b"pub" => {
            let mut next = skip_space(code, at + first.len());
            if code.get(next) == Some(&b'(') {
                next = skip_space(code, after_block(code, next));
            }
            return item_end(code, next);
        }
        _ => false,
    };
    // A field, a variant or a match arm is no item: it ends at its comma, so that its neighbours stay.
    let ends_in_comma = !ITEM_WORDS.contains(&first);
    while let Some(&byte) = code.get(at) {
        match byte {
            b';' => return at + 1,
            b',' if ends_in_comma => return at + 1,
            b')' | b']' | b'}' => return at,
            b'(' | b'[' => at = after_block(code, at),
            b'{' => {
                at = after_block(code, at);
                if !ends_in_semicolon {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    code.len()
}

const ITEM_WORDS: &[&[u8]] = &[
    b"mod",
    b"fn",
    b"use",
    b"struct",
    b"enum",
    b"union",
    b"trait",
    b"impl",
    b"const",
    b"static",
    b"type",
    b"let",
    b"extern",
    b"unsafe",
    b"async",
    b"macro_rules",
];

fn first_word(code: &[u8], at: usize) -> &[u8] {
    let rest = code.get(at..).unwrap_or_default();
    &rest[..rest.iter().take_while(|byte| is_word(**byte)).count()]
}

fn declared_module(item: &str) -> Option<String> {
    let words = item.strip_suffix(';')?;
    let (_, name) = words.rsplit_once("mod ")?;
    Some(name.trim().to_owned()).filter(|name| name.bytes().all(is_word))
}

#[cfg(test)]
mod tests {
    use super::separate;

    #[track_caller]
    fn check(code: &str, product: &str) {
        let words: Vec<_> = separate(code).product.split_whitespace().map(str::to_owned).collect();
        assert_eq!(words.join(" "), product);
    }

    #[test]
    fn test_items_go_wherever_they_stand() {
        check("a; #[cfg(test)] mod tests { b { c } } d", "a; d");
        check("#[cfg(test)] use x::{y, z}; a", "a");
        check("#[cfg(test)] #[expect(dead_code)] pub(crate) fn f() -> [u8; 2] { b } a", "a");
        check("#[cfg(test)] const X: T = T { a: 1 }; a", "a");
        check("#[cfg(all(test, unix))] extern crate std; a", "a");
        check("struct S { #[cfg(test)] x: u8, y: u8 }", "struct S { y: u8 }");
    }

    #[test]
    fn what_is_also_compiled_without_tests_stays() {
        check("#[cfg(any(test, unix))] mod a { b }", "#[cfg(any(test, unix))] mod a { b }");
        check("#[cfg(not(test))] mod a;", "#[cfg(not(test))] mod a;");
    }

    #[test]
    fn modules_in_other_files_are_named() {
        let found = separate("mod a; #[cfg(test)] mod tests; #[cfg(test)] pub(crate) mod support; mod b;");
        assert_eq!(found.modules, ["tests", "support"]);
        assert!(!found.whole);
        assert!(separate("#![cfg(test)] mod a;").whole);
    }
}
