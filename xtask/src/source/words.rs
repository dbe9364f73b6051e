//! Whole words in a text.

/// The offsets at which `word` stands alone, with no letter, digit or underscore on either side.
pub(crate) fn words<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    // Most words occur in few texts, and to learn that one is absent is much cheaper than to look for its places.
    let text = if text.contains(word) { text } else { "" };
    let bytes = text.as_bytes();
    text.match_indices(word).map(|(at, _)| at).filter(move |&at| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let after = bytes.get(at + word.len());
        !before.is_some_and(|byte| is_word(*byte)) && !after.is_some_and(|byte| is_word(*byte))
    })
}

/// Whether a byte can be part of an identifier. Bytes outside ASCII count, so that no identifier is cut in two.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn only_whole_words_count() {
        assert_eq!(words("rand operand rand_core (rand)", "rand").collect::<Vec<_>>(), [0, 24]);
        assert_eq!(words("", "rand").count(), 0);
    }
}
