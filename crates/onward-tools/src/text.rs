//! Bytes as text for the model: decoded, cut, measured, recognised.

use std::borrow::Cow;

/// How many bytes of a file are looked at to tell text from binary.
pub(crate) const SNIFF_BYTES: usize = 8 << 10;

/// What a file holds when it is not text, by its first bytes; `None` for text of any encoding that has no NUL.
pub(crate) fn binary_kind(start: &[u8]) -> Option<&'static str> {
    const MAGIC: &[(&[u8], &str)] = &[
        (b"\x89PNG\r\n", "a PNG image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"GIF8", "a GIF image"),
        (b"%PDF-", "a PDF document"),
        (b"\x7fELF", "an ELF program or library"),
        (b"\x1f\x8b", "gzip-compressed data"),
        (b"PK\x03\x04", "a zip archive"),
        (b"BZh", "bzip2-compressed data"),
        (b"\xfd7zXZ", "xz-compressed data"),
        (b"\x28\xb5\x2f\xfd", "zstd-compressed data"),
        (b"SQLite format 3\0", "an SQLite database"),
        (b"\0asm", "a WebAssembly module"),
        (b"\xff\xfe", "text in UTF-16"),
        (b"\xfe\xff", "text in UTF-16"),
    ];
    let start = &start[..start.len().min(SNIFF_BYTES)];
    if !start.contains(&0) && std::str::from_utf8(start).is_ok() && !start.starts_with(b"%PDF-") {
        return None;
    }
    let known = MAGIC.iter().find(|(magic, _)| start.starts_with(magic)).map(|(_, kind)| *kind);
    known.or_else(|| start.contains(&0).then_some("binary data"))
}

/// A line without its end, cut to `max` bytes with a note.
pub(crate) fn cut_line(line: &[u8], max: usize) -> Cow<'_, str> {
    if line.len() <= max {
        return String::from_utf8_lossy(line);
    }
    let head = &line[..floor_char(line, max)];
    let more = line.len() - head.len();
    Cow::Owned(format!("{} [cut: {more} more bytes in this line]", String::from_utf8_lossy(head)))
}

/// The greatest position up to `at` where no UTF-8 character is split.
pub(crate) fn floor_char(bytes: &[u8], at: usize) -> usize {
    let at = at.min(bytes.len());
    let back = (0..4).find(|back| at < *back || !is_continuation(bytes.get(at - back)));
    at - back.unwrap_or(0).min(at)
}

/// The least position from `at` on where no UTF-8 character is split.
pub(crate) fn ceil_char(bytes: &[u8], at: usize) -> usize {
    let at = at.min(bytes.len());
    let on = (0..4).find(|on| !is_continuation(bytes.get(at + on)));
    at + on.unwrap_or(0)
}

/// A size for people: `17 bytes`, `1.5 MiB`.
#[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 10 << 10 {
        return count(bytes, "byte");
    }
    let mut value = bytes as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// `1 line`, `2 lines`.
pub(crate) fn count(n: u64, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

/// How many lines a text has; a last line without an end counts.
pub(crate) fn lines(bytes: &[u8]) -> u64 {
    let ends = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    ends + u64::from(bytes.last().is_some_and(|last| *last != b'\n'))
}

fn is_continuation(byte: Option<&u8>) -> bool {
    byte.is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000)
}
