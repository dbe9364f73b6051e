//! The attributes of a source.

use super::blocks::{after_block, skip_space};

/// One `#[..]` or `#![..]`, brackets included.
pub(crate) struct Attribute<'a> {
    pub(crate) at: usize,
    pub(crate) text: &'a str,
}

/// All attributes in masked code, those in macros included.
pub(crate) fn attributes(code: &str) -> impl Iterator<Item = Attribute<'_>> {
    code.match_indices('#').filter_map(move |(at, _)| {
        let bytes = code.as_bytes();
        let mut open = skip_space(bytes, at + 1);
        if bytes.get(open) == Some(&b'!') {
            open = skip_space(bytes, open + 1);
        }
        (bytes.get(open) == Some(&b'[')).then(|| Attribute { at, text: &code[at..after_block(bytes, open)] })
    })
}

#[cfg(test)]
mod tests {
    use super::attributes;

    #[test]
    fn inner_and_outer_attributes_are_found() {
        let found: Vec<_> =
            attributes("#![no_std] #[derive(A)] x[0] r#fn #[a(b[1])]").map(|it| it.text).collect();
        assert_eq!(found, ["#![no_std]", "#[derive(A)]", "#[a(b[1])]"]);
    }
}
