//! Brackets in masked code, where no literal or comment can hold one.

/// The offset just after the bracket that closes the one at `open`, or the end of the code if none does.
pub(super) fn after_block(code: &[u8], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in code.iter().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// The offset of the first byte at or after `at` that is not white space.
pub(super) fn skip_space(code: &[u8], at: usize) -> usize {
    let rest = code.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::{after_block, skip_space};

    #[test]
    fn brackets_of_all_kinds_nest() {
        assert_eq!(after_block(b"x(a[b]{c})d", 1), 10);
        assert_eq!(after_block(b"(open", 0), 5);
        assert_eq!(skip_space(b"a \n b", 1), 4);
    }
}
