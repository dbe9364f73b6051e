//! The output of a command, of which the beginning and the end were kept: as much of it as the model is shown.

use crate::text::{ceil_char, floor_char};

/// How far a cut moves to fall between two lines.
const MAX_MOVE: usize = 2 << 10;

/// What was kept of an output.
#[derive(Debug)]
pub(super) struct Capture {
    /// Its beginning; all of it when nothing was dropped.
    kept: Vec<u8>,
    /// Its end, as far as it is not in `kept`.
    tail: Vec<u8>,
    total: u64,
}

/// What the model is shown.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// All of it.
    Whole(String),
    /// The beginning and the end, in bytes of the original where the cut is.
    Cut {
        /// The beginning.
        head: String,
        /// Its length in the output.
        head_bytes: u64,
        /// The end.
        tail: String,
        /// Its length in the output.
        tail_bytes: u64,
    },
}

impl Capture {
    /// An output: its beginning, its end if it is longer, and its length.
    pub(super) fn of(kept: Vec<u8>, tail: Vec<u8>, total: u64) -> Self {
        Self { kept, tail, total }
    }

    /// How many bytes came.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    /// How many bytes [`Self::into_kept`] gives.
    pub(super) fn kept(&self) -> u64 {
        self.kept.len() as u64
    }

    /// The beginning of the output, all of it when nothing was dropped.
    pub(super) fn into_kept(self) -> Vec<u8> {
        self.kept
    }

    /// All of it, or its beginning and end, about `max` bytes together: a third for the beginning, for what goes
    /// wrong is usually said at the end.
    pub(super) fn shown(&self, max: usize) -> Shown {
        if self.total <= max as u64 && self.kept.len() as u64 == self.total {
            return Shown::Whole(String::from_utf8_lossy(&self.kept).into_owned());
        }
        let head = head_of(&self.kept, max / 3);
        let end = self.end(max - max / 3);
        let tail = tail_of(&end, max - max / 3);
        Shown::Cut {
            head: String::from_utf8_lossy(head).into_owned(),
            head_bytes: head.len() as u64,
            tail: String::from_utf8_lossy(tail).into_owned(),
            tail_bytes: tail.len() as u64,
        }
    }

    /// The last bytes. Only what joins without a gap can be continued backwards into the beginning: an output whose end
    /// was lost has none.
    pub(super) fn end(&self, max: usize) -> Vec<u8> {
        let whole = self.kept.len() as u64 + self.tail.len() as u64 >= self.total;
        let from_kept = if whole { max.saturating_sub(self.tail.len()).min(self.kept.len()) } else { 0 };
        [&self.kept[self.kept.len() - from_kept..], &self.tail].concat()
    }
}

/// About the first `max` bytes, to the end of a line if one is near.
fn head_of(bytes: &[u8], max: usize) -> &[u8] {
    let head = &bytes[..floor_char(bytes, max)];
    match head.iter().rposition(|byte| *byte == b'\n') {
        Some(at) if head.len() - at <= MAX_MOVE => &head[..=at],
        _ => head,
    }
}

/// About the last `max` bytes, from the beginning of a line if one is near.
fn tail_of(bytes: &[u8], max: usize) -> &[u8] {
    let tail = &bytes[ceil_char(bytes, bytes.len().saturating_sub(max))..];
    match tail.iter().position(|byte| *byte == b'\n') {
        Some(at) if at < MAX_MOVE && at + 1 < tail.len() => &tail[at + 1..],
        _ => tail,
    }
}
