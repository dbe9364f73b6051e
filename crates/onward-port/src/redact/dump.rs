//! Hexadecimal digits, however they are set: in one row, byte by byte with something between them, and in the lines of
//! `od`, `xxd` and `hexdump -C` with their offsets, columns and characters.

use super::view::View;
use super::wrapped::{is_blank, line_end};
use super::{SHORTEST_SECRET, TELLTALE};

/// Bytes of the longest line that is read as one of a dump.
const MAX_LINE: usize = 256;

/// Bytes between two digits that belong together, offsets and columns of characters aside.
const MAX_GAP: usize = 64;

/// A value as the digits of a dump, and as those of words of two and four bytes that are written last byte first, from
/// wherever in such a word the value begins.
pub(super) fn forms(value: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let words = [2usize, 4].into_iter().flat_map(move |size| {
        let from = move |start: usize| {
            let words = value.get(start..).unwrap_or_default().chunks_exact(size);
            digits(words.flat_map(|word| word.iter().rev()))
        };
        (0..size).map(from).filter(|digits| digits.len() >= TELLTALE)
    });
    std::iter::once(digits(value)).chain(words)
}

/// The digits of a text in lower case, without what stands between them. What belongs to no row that could be the
/// beginning of a form is left out; a blank stands between two rows. Of its first line, `before` bytes are not there any
/// more.
pub(super) fn digits_of(text: &[u8], before: usize) -> View {
    let mut rows = Rows::of(text, before);
    rows.end_row();
    rows.view
}

/// The same for a text that may go on with the row that it ends with.
pub(super) fn open_digits_of(text: &[u8], before: usize) -> View {
    let mut rows = Rows::of(text, before);
    if rows.gap > MAX_GAP {
        rows.end_row();
    }
    rows.view
}

/// Where the last line begins when it takes its end to know how it is read, else where the text ends.
pub(super) fn undecided(text: &[u8], before: usize) -> usize {
    let Some((at, last)) = lines(text).last() else { return 0 };
    let before = if at == 0 { before } else { 0 };
    let open = last.iter().all(|byte| byte.is_ascii_hexdigit() || is_between(*byte))
        || before == 0 && Offset::of(last).is_some()
        || !digits_of(last, before).bytes().is_empty();
    if open && before + last.len() <= MAX_LINE { at } else { text.len() }
}

/// Where the last line of a text begins.
pub(super) fn line_start(text: &str) -> usize {
    lines(text.as_bytes()).last().map_or(0, |(at, _)| at)
}

/// Where the line begins in which this place is; the place itself when the line is too long for one of a dump.
pub(super) fn line_of(text: &[u8], place: usize) -> usize {
    let line = lines(text).take_while(|(at, _)| *at <= place).last();
    line.filter(|(_, line)| line.len() <= MAX_LINE).map_or(place, |(at, _)| at)
}

fn digits<'a>(bytes: impl IntoIterator<Item = &'a u8>) -> Vec<u8> {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).map_or(b'0', |digit| digit as u8);
    bytes.into_iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Each line without its end, and where it begins; the last one may be empty.
fn lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let rest = &text[start..];
        let may_end = |(_, byte): &(usize, &u8)| matches!(byte, b'\n' | b'\r' | b'\\');
        let mut ends = rest.iter().enumerate().filter(may_end).map(|(at, _)| (at, line_end(&rest[at..])));
        let end = ends.find(|(_, length)| *length > 0);
        next = end.map(|(at, length)| start + at + length);
        Some((start, &rest[..end.map_or(rest.len(), |(at, _)| at)]))
    })
}

/// What stands between digits: blanks, `73:6b`, `\x73\x6b`, `0x73, 0x6b`.
fn is_between(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b':' | b',' | b'\\' | b'x')
}

/// The rows of digits found so far.
struct Rows {
    view: View,
    /// Where the row begins that may go on.
    row: usize,
    /// Bytes since its last digit.
    gap: usize,
}

impl Rows {
    fn of(text: &[u8], before: usize) -> Self {
        let mut rows = Self { view: View::default(), row: 0, gap: 0 };
        for (at, line) in lines(text) {
            rows.line(line, at, if at == 0 { before } else { 0 });
        }
        rows
    }

    fn line(&mut self, line: &[u8], start: usize, before: usize) {
        let dump = before + line.len() <= MAX_LINE;
        let offset = if dump && before == 0 { Offset::of(line) } else { None };
        let mut at = offset.map_or(0, |offset| offset.length);
        let known = self.view.bytes().len();
        self.gap += 1;
        while let Some(byte) = line.get(at) {
            let digits = self.view.bytes().len().saturating_sub(known);
            if byte.is_ascii_hexdigit() {
                self.digit(*byte, start + at);
            } else if dump && begins_column(line, at, offset, digits) {
                self.view.push_column(start..start + line.len());
                return;
            } else if *byte == b'x' && line[..at].ends_with(b"0") && self.gap == 0 {
                self.view.truncate(self.view.bytes().len() - 1);
                self.row = self.row.min(self.view.bytes().len());
            } else if !is_between(*byte) || *byte == b'x' && !line[..at].ends_with(b"\\") {
                self.end_row();
            } else {
                self.gap += 1;
            }
            at += 1;
        }
    }

    fn digit(&mut self, digit: u8, at: usize) {
        if self.gap > MAX_GAP {
            self.end_row();
        }
        self.gap = 0;
        self.view.push(&[digit.to_ascii_lowercase()], at);
    }

    fn end_row(&mut self) {
        let here = self.view.bytes().len();
        if here - self.row < SHORTEST_SECRET {
            self.view.truncate(self.row);
        } else {
            self.view.push(b" ", self.view.at(here - 1) + 1);
        }
        self.row = self.view.bytes().len();
        self.gap = 0;
    }
}

/// Whether here, behind so many digits, a line of a dump begins to say its bytes as characters.
fn begins_column(line: &[u8], at: usize, offset: Option<Offset>, digits: usize) -> bool {
    let (before, rest) = (&line[..at], &line[at..]);
    let closed = |by: u8| line.iter().rfind(|byte| !is_blank(**byte)) == Some(&by);
    match (offset, rest) {
        (Some(Offset { colon: true, length }), [blank, ..]) if is_blank(*blank) => {
            before.len() > length + 1 && before.last().is_some_and(|byte| is_blank(*byte))
        }
        (Some(_), [byte, ..]) => !is_between(*byte),
        (None, [b'>', ..]) => digits >= SHORTEST_SECRET && closed(b'<'),
        (None, [b'|', ..]) => digits >= SHORTEST_SECRET && closed(b'|'),
        _ => false,
    }
}

/// What a line of a dump begins with: where in the whole its bytes stand.
#[derive(Clone, Copy)]
struct Offset {
    /// Bytes of the line, with the colon.
    length: usize,
    /// `xxd`.
    colon: bool,
}

impl Offset {
    /// Told from a group of bytes by what follows it, by its odd number of digits, or by the zeros at its beginning.
    fn of(line: &[u8]) -> Option<Self> {
        let digits = line.iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
        if digits < 6 {
            return None;
        }
        let odd = digits % 2 == 1 || line.starts_with(b"00");
        match &line[digits..] {
            [b':', b' ', ..] | [b':'] => Some(Self { length: digits + 1, colon: true }),
            [b' ', b' ', ..] => Some(Self { length: digits, colon: false }),
            [] | [b' ', ..] if odd => Some(Self { length: digits, colon: false }),
            _ => None,
        }
    }
}
