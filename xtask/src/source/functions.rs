//! The functions of a source and where their bodies lie.

use std::ops::Range;

use super::blocks::{after_block, skip_space};
use super::words::{is_word, words};

pub(crate) struct Function<'a> {
    pub(crate) at: usize,
    pub(crate) name: &'a str,
    /// From after the opening brace up to the closing one.
    pub(crate) body: Range<usize>,
}

/// All functions with a body in masked code, nested ones included.
pub(crate) fn functions(code: &str) -> impl Iterator<Item = Function<'_>> {
    words(code, "fn").filter_map(move |at| {
        let bytes = code.as_bytes();
        let start = skip_space(bytes, at + "fn".len());
        let length = bytes[start..].iter().take_while(|byte| is_word(**byte)).count();
        // `fn(u8) -> u8` is a type: it has no name.
        if length == 0 {
            return None;
        }
        let open = body_open(bytes, start + length)?;
        let end = after_block(bytes, open).saturating_sub(1).max(open + 1);
        Some(Function { at, name: &code[start..start + length], body: open + 1..end })
    })
}

/// The brace that opens the body, or none for a signature that ends in a semicolon.
fn body_open(code: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match code.get(at)? {
            b'{' => return Some(at),
            b';' | b'}' => return None,
            b'(' | b'[' => at = after_block(code, at),
            _ => at += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::functions;

    #[test]
    fn bodies_are_found_behind_any_signature() {
        let code =
            "fn a() { x } fn b<T: Fn() -> u8>(x: [u8; 2]) -> T where T: Copy { { y } } trait T { fn c(); }";
        let found: Vec<_> = functions(code).map(|it| (it.name, code[it.body].trim())).collect();
        assert_eq!(found, [("a", "x"), ("b", "{ y }")]);
    }

    #[test]
    fn function_types_and_unfinished_code_are_passed_over() {
        assert_eq!(functions("let f: fn(u8) -> u8 = g; fn").count(), 0);
        assert_eq!(functions("fn open() { x").count(), 1);
        assert_eq!(functions("fn open() {").count(), 1);
    }
}
