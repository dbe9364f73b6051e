//! Which characters a plain script may hold at all, quoted or not.

/// Why a script with `character` in it is not plain, if so.
pub(super) fn forbidden(character: char) -> Option<String> {
    let what = match character {
        ' ' | '\t' | '\n' => return None,
        _ if character.is_control() => "a control character",
        _ if character.is_whitespace() => "a space that is not the usual one",
        _ if is_invisible(character) => "a character that cannot be seen",
        _ => return None,
    };
    Some(format!("{what} (U+{:04X})", u32::from(character)))
}

/// Characters that a screen shows nothing for, or that change how others are shown: soft hyphen, joiners, direction
/// marks, fillers, variation selectors, tags. A person cannot agree to what is not seen.
fn is_invisible(character: char) -> bool {
    matches!(
        u32::from(character),
        0x00AD
            | 0x034F
            | 0x061C
            | 0x115F..=0x1160
            | 0x17B4..=0x17B5
            | 0x180B..=0x180F
            | 0x200B..=0x200F
            | 0x202A..=0x202E
            | 0x2060..=0x206F
            | 0x2800
            | 0x3164
            | 0xFE00..=0xFE0F
            | 0xFEFF
            | 0xFFA0
            | 0xFFF0..=0xFFFB
            | 0x1BCA0..=0x1BCA3
            | 0x1D173..=0x1D17A
            | 0xE0000..=0xE0FFF
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_seen_is_permitted_and_what_is_not_is_named() {
        for fine in ['a', ' ', '\t', '\n', 'ü', '漢', '😀', '$', '\''] {
            assert_eq!(forbidden(fine), None, "{fine:?}");
        }
        for (character, named) in [
            ('\r', "a control character (U+000D)"),
            ('\0', "a control character (U+0000)"),
            ('\u{7f}', "a control character (U+007F)"),
            ('\u{a0}', "a space that is not the usual one (U+00A0)"),
            ('\u{2028}', "a space that is not the usual one (U+2028)"),
            ('\u{202e}', "a character that cannot be seen (U+202E)"),
            ('\u{200b}', "a character that cannot be seen (U+200B)"),
            ('\u{e0041}', "a character that cannot be seen (U+E0041)"),
        ] {
            assert_eq!(forbidden(character).as_deref(), Some(named));
        }
    }
}
