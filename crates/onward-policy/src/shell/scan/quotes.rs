//! The escapes of `$'..'`.

/// Reads the escape behind a backslash at `at`, and returns the character and how many characters it took.
pub(super) fn ansi(rest: &[char]) -> (char, usize) {
    let Some(&first) = rest.first() else { return ('\\', 0) };
    match first {
        'a' => ('\u{7}', 1),
        'b' => ('\u{8}', 1),
        'e' | 'E' => ('\u{1b}', 1),
        'f' => ('\u{c}', 1),
        'n' => ('\n', 1),
        'r' => ('\r', 1),
        't' => ('\t', 1),
        'v' => ('\u{b}', 1),
        'x' => number(rest, 1, 2, 16),
        'u' => number(rest, 1, 4, 16),
        'U' => number(rest, 1, 8, 16),
        '0'..='7' => number(rest, 0, 3, 8),
        'c' => (rest.get(1).map_or('c', |&letter| control(letter)), 2),
        other => (other, 1),
    }
}

fn number(rest: &[char], start: usize, most: usize, radix: u32) -> (char, usize) {
    let digits = rest.iter().skip(start).take(most).map_while(|digit| digit.to_digit(radix));
    let (value, count) = digits
        .fold((0_u32, 0), |(value, count), digit| (value.wrapping_mul(radix).wrapping_add(digit), count + 1));
    (char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER), start + count)
}

fn control(letter: char) -> char {
    char::from_u32(u32::from(letter.to_ascii_uppercase()) ^ 0x40).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_decoded() {
        let read = |text: &str| ansi(&text.chars().collect::<Vec<_>>());
        assert_eq!(read("x72m"), ('r', 3));
        assert_eq!(read("162m"), ('r', 3));
        assert_eq!(read("u0072m"), ('r', 5));
        assert_eq!(read("'"), ('\'', 1));
        assert_eq!(read("cA"), ('\u{1}', 2));
        assert_eq!(read("UFFFFFFFF"), (char::REPLACEMENT_CHARACTER, 9));
        assert_eq!(read(""), ('\\', 0));
    }
}
