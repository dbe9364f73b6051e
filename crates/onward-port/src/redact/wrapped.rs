//! Text that was broken into lines: `base64`, `fold` and whoever writes into a narrow column put line ends and
//! indentation into what they write. Without them it reads as it was.

use super::view::View;

/// Bytes of one gap: line ends and indentation that follow each other. What is further apart does not belong together.
const MAX_GAP: usize = 64;

/// The text without its line ends and the indentation after them; `None` where there are none.
pub(super) fn unwrapped(text: &[u8]) -> Option<View> {
    let (mut view, mut done, mut at) = (View::default(), 0, 0);
    while let Some(next) = next_end(text, at) {
        let gap = gap(&text[next..]);
        if gap > MAX_GAP {
            at = next + 1;
            continue;
        }
        view.push(&text[done..next], done);
        (done, at) = (next + gap, next + gap);
    }
    if done == 0 {
        return None;
    }
    view.push(&text[done..], done);
    Some(view)
}

/// A form as it stands in such a text.
pub(super) fn squeezed(form: &[u8]) -> Vec<u8> {
    let view = unwrapped(form);
    let bytes = view.as_ref().map_or(form, View::bytes);
    // A form never begins with what may be the indentation before it.
    let start = bytes.iter().position(|byte| !is_blank(*byte)).unwrap_or(bytes.len());
    bytes[start..].to_vec()
}

/// The length of the line end that a text begins with, also of one that JSON or a program's source writes out; 0 for
/// none.
pub(super) fn line_end(text: &[u8]) -> usize {
    match text {
        [b'\n' | b'\r', ..] => 1,
        [b'\\', b'n' | b'r', ..] => 2,
        _ => 0,
    }
}

pub(super) fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

fn next_end(text: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text.get(at..)?.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b'\\'))?;
        if line_end(&text[at..]) > 0 {
            return Some(at);
        }
        at += 1;
    }
}

/// Bytes of the line ends and blanks that a text begins with, as far as they matter.
fn gap(text: &[u8]) -> usize {
    let mut at = 0;
    while at <= MAX_GAP {
        at += match (line_end(&text[at..]), text.get(at..)) {
            (0, Some([byte, ..])) if is_blank(*byte) => 1,
            (0, Some([b'\\', b't', ..])) => 2,
            (0, _) => break,
            (end, _) => end,
        };
    }
    at
}
