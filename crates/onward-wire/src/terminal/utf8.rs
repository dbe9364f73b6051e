//! Bytes as characters, in pieces. A byte that is no UTF-8 is shown as such, except that one of an 8-bit control is that
//! control: some terminals obey it.

/// Decodes pieces of one text.
#[derive(Clone, Debug, Default)]
pub(super) struct Utf8 {
    /// The beginning of a character whose rest has not come yet.
    begun: Vec<u8>,
}

impl Utf8 {
    /// The characters that are complete.
    pub(super) fn push(&mut self, piece: &[u8]) -> String {
        self.begun.extend_from_slice(piece);
        let bytes = std::mem::take(&mut self.begun);
        let (mut out, mut rest) = (String::with_capacity(bytes.len()), bytes.as_slice());
        loop {
            match std::str::from_utf8(rest) {
                Ok(text) => {
                    out.push_str(text);
                    return out;
                }
                Err(error) => {
                    let (valid, invalid) = rest.split_at(error.valid_up_to());
                    out.push_str(std::str::from_utf8(valid).unwrap_or_default());
                    let Some(length) = error.error_len() else {
                        self.begun = invalid.to_vec();
                        return out;
                    };
                    out.push(lone(invalid[0]));
                    rest = &invalid[length..];
                }
            }
        }
    }

    /// What never became a character.
    pub(super) fn finish(&mut self) -> Option<char> {
        std::mem::take(&mut self.begun).first().map(|byte| lone(*byte))
    }
}

fn lone(byte: u8) -> char {
    if (0x80..0xa0).contains(&byte) { char::from(byte) } else { char::REPLACEMENT_CHARACTER }
}
