//! Separates what the compiler reads from what people read.

use super::words::is_word;

/// One text in two views of the same length, so that an offset means the same place in both.
pub(crate) struct Masked {
    /// The code: comments are blank, and each visible character of a string or character literal is `~`. A literal
    /// keeps its size because its lines count as code; `~` occurs nowhere else in Rust.
    pub(crate) code: String,
    /// The comments, doc comments among them: everything else is blank.
    pub(crate) comments: String,
}

pub(crate) fn mask(text: &str) -> Masked {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut comments = bytes.to_vec();
    hide(&mut comments, b' ');
    let mut at = 0;
    while let Some(distance) = bytes[at..].iter().position(|byte| matches!(byte, b'/' | b'"' | b'\'')) {
        at += distance;
        let (length, part) = part_at(text, at);
        let range = at..(at + length).min(bytes.len());
        at = range.end;
        match part {
            Part::Code => {}
            Part::Comment => {
                hide(&mut code[range.clone()], b' ');
                comments[range.clone()].copy_from_slice(&bytes[range]);
            }
            Part::Literal => hide(&mut code[range], b'~'),
        }
    }
    // Every cut is made beside an ASCII character, so nothing is lost here.
    Masked {
        code: String::from_utf8_lossy(&code).into_owned(),
        comments: String::from_utf8_lossy(&comments).into_owned(),
    }
}

enum Part {
    Code,
    Comment,
    Literal,
}

/// What begins at a slash or a quote, and how long it is.
fn part_at(text: &str, at: usize) -> (usize, Part) {
    let rest = &text.as_bytes()[at..];
    match rest {
        [b'/', b'/', ..] => (line_comment(rest), Part::Comment),
        [b'/', b'*', ..] => (block_comment(rest), Part::Comment),
        [b'"', ..] => match raw_hashes(&text.as_bytes()[..at]) {
            Some(hashes) => (raw_string(rest, hashes), Part::Literal),
            None => (string(rest), Part::Literal),
        },
        [b'\'', ..] => quote(&text[at..]),
        _ => (1, Part::Code),
    }
}

/// Line ends and indentation stay: lines are counted in either view.
fn hide(view: &mut [u8], by: u8) {
    for byte in view {
        if !byte.is_ascii_whitespace() {
            *byte = by;
        }
    }
}

fn line_comment(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

/// Block comments nest.
fn block_comment(rest: &[u8]) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        match byte {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// A single quote opens a character literal, or it is the mark of a lifetime.
fn quote(rest: &str) -> (usize, Part) {
    let mut characters = rest.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => {
            // The escaped character may itself be a quote, so the search for the end starts after it.
            let end = characters.skip(1).find(|&(_, character)| character == '\'');
            (end.map_or(rest.len(), |(at, _)| at + 1), Part::Literal)
        }
        Some(_) => match characters.next() {
            Some((at, '\'')) => (at + 1, Part::Literal),
            _ => (1, Part::Code),
        },
        None => (1, Part::Code),
    }
}

/// With how many hashes the quote behind `before` opens a raw string, if it opens one. (`b".."` and `c".."` are
/// ordinary strings with a prefix.)
fn raw_hashes(before: &[u8]) -> Option<usize> {
    let hashes = before.iter().rev().take_while(|&&byte| byte == b'#').count();
    let before = &before[..before.len() - hashes];
    let prefix = before.iter().rev().take_while(|&&byte| is_word(byte)).count();
    matches!(&before[before.len() - prefix..], b"r" | b"br" | b"cr").then_some(hashes)
}

fn raw_string(rest: &[u8], hashes: usize) -> usize {
    let closes = |at: &usize| {
        let behind = &rest[at + 1..];
        rest[*at] == b'"' && behind.iter().take(hashes).filter(|&&byte| byte == b'#').count() == hashes
    };
    (1..rest.len()).find(closes).map_or(rest.len(), |at| at + 1 + hashes)
}

#[cfg(test)]
mod tests {
    use super::mask;

    #[track_caller]
    fn check(text: &str, code: &str) {
        assert_eq!(mask(text).code, code);
    }

    #[test]
    fn strings_lose_their_content() {
        check(r#"f("a // b", b"\"x");"#, "f(~~ ~~ ~~, b~~~~~);");
        check(r###"f(r#"a " b"#, br"\", r);"###, "f(r#~~ ~ ~~~, br~~~, r);");
        check("let s = \"one\n two\";", "let s = ~~~~\n ~~~~;");
    }

    #[test]
    fn characters_are_not_lifetimes() {
        check(r"f::<'a>('a', '\'', '\u{7d}', b'{')", "f::<'a>(~~~, ~~~~, ~~~~~~~~, b~~~)");
        check("fn f<'a>(x: &'a str, y: &'static str) {}", "fn f<'a>(x: &'a str, y: &'static str) {}");
    }

    #[test]
    fn comments_nest_and_stay_readable() {
        let masked = mask("a /* b /* c */ d */ e // f\n/// g\nh");
        assert_eq!(masked.code, "a                   e     \n     \nh");
        assert_eq!(masked.comments, "  /* b /* c */ d */   // f\n/// g\n ");
    }

    #[test]
    fn both_views_keep_every_offset() {
        let text = "let é = 'é'; // ünïcode\nlet raw = r#type;";
        let masked = mask(text);
        assert_eq!((masked.code.len(), masked.comments.len()), (text.len(), text.len()));
        assert!(masked.code.contains("r#type"));
    }

    #[test]
    fn unfinished_text_ends() {
        for text in ["\"abc", "r#\"abc\"", "/* abc", "'", "'\\", "'\\'", "\"\\"] {
            assert_eq!(mask(text).code.len(), text.len(), "{text}");
        }
    }
}
