//! Server-sent events, without I/O: bytes in, the data of events out.
//!
//! Bytes may be cut anywhere. A line ends with CR, LF or CRLF; an event ends with an empty line; several `data` lines
//! of one event are joined with LF; comments and all other fields are skipped, a byte order mark at the start too.
//! Neither a line nor the data of an event may grow beyond a named limit, so a server that never ends one costs no
//! more memory than that.

/// The longest line, and the most data of one event, that a stream may have: a whole file written in one piece fits.
pub(crate) const MAX_EVENT_BYTES: usize = 8 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A line or an event beyond the limit. The stream cannot go on after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event of the stream is longer than {limit} bytes")]
pub(crate) struct EventTooLong {
    limit: usize,
}

/// The decoder. Feed it with [`SseDecoder::next_event`]; at a clean end of the stream ask for [`SseDecoder::rest`].
#[derive(Clone, Debug)]
pub(crate) struct SseDecoder {
    limit: usize,
    line: Vec<u8>,
    /// Of the event that is being read; absent until its first `data` line.
    data: Option<Vec<u8>>,
    /// The last byte was CR: an LF that follows belongs to the same line end.
    after_cr: bool,
    at_start: bool,
}

impl SseDecoder {
    /// A decoder at the start of a stream; `limit` is the longest line and the most data of an event, in bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, line: Vec::new(), data: None, after_cr: false, at_start: true }
    }

    /// Takes bytes from `input` until an event is complete and returns its data, or takes all and returns `None`.
    /// Call it again until it returns `None`.
    pub(crate) fn next_event(&mut self, input: &mut &[u8]) -> Result<Option<Vec<u8>>, EventTooLong> {
        while !input.is_empty() {
            if std::mem::take(&mut self.after_cr) && input.first() == Some(&b'\n') {
                *input = &input[1..];
                continue;
            }
            let Some(end) = input.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                self.extend_line(input)?;
                *input = &[];
                break;
            };
            self.extend_line(&input[..end])?;
            self.after_cr = input[end] == b'\r';
            *input = &input[end + 1..];
            if let Some(event) = self.end_line()? {
                return Ok(Some(event));
            }
        }
        Ok(None)
    }

    /// Bytes that are held because the event they belong to is not whole.
    pub(crate) fn pending(&self) -> usize {
        self.line.len() + self.data.as_ref().map_or(0, Vec::len)
    }

    /// What stood at the end of the stream without the empty line that ends an event. Some servers leave it out after
    /// their last event; after a cut it may be half of one.
    pub(crate) fn rest(mut self) -> Option<Vec<u8>> {
        if !self.line.is_empty() && self.end_line().is_err() {
            return None;
        }
        self.data.filter(|data| !data.is_empty())
    }

    fn extend_line(&mut self, bytes: &[u8]) -> Result<(), EventTooLong> {
        if bytes.len() > self.limit.saturating_sub(self.line.len()) {
            return Err(EventTooLong { limit: self.limit });
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) -> Result<Option<Vec<u8>>, EventTooLong> {
        let line = std::mem::take(&mut self.line);
        let mut text = line.as_slice();
        if std::mem::take(&mut self.at_start) {
            text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        }
        let event = if text.is_empty() {
            self.data.take().filter(|data| !data.is_empty())
        } else {
            self.read_field(text)?;
            None
        };
        // The buffer is used again for the next line.
        self.line = line;
        self.line.clear();
        Ok(event)
    }

    fn read_field(&mut self, line: &[u8]) -> Result<(), EventTooLong> {
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, rest) = line.split_at(colon);
        if name != b"data" {
            return Ok(());
        }
        let value = rest.strip_prefix(b":").unwrap_or(rest);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match &mut self.data {
            None => self.data = Some(value.to_vec()),
            Some(data) => {
                if value.len() >= self.limit.saturating_sub(data.len()) {
                    return Err(EventTooLong { limit: self.limit });
                }
                data.push(b'\n');
                data.extend_from_slice(value);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn events(pieces: &[&[u8]], limit: usize) -> Result<(Vec<String>, Option<String>), EventTooLong> {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        let mut decoder = SseDecoder::new(limit);
        let mut out = Vec::new();
        for piece in pieces {
            let mut input = *piece;
            while let Some(event) = decoder.next_event(&mut input)? {
                out.push(text(event));
            }
        }
        Ok((out, decoder.rest().map(text)))
    }

    #[track_caller]
    fn check(stream: &str, expect: &[&str], rest: Option<&str>) {
        let (got, left) = events(&[stream.as_bytes()], 100).unwrap();
        assert_eq!(
            (got.iter().map(String::as_str).collect::<Vec<_>>(), left.as_deref()),
            (expect.to_vec(), rest)
        );
    }

    #[test]
    fn every_line_end_ends_a_line() {
        for end in ["\n", "\r", "\r\n"] {
            check(&format!("data: a{end}{end}data: b{end}data: c{end}{end}"), &["a", "b\nc"], None);
        }
        check("data: a\r\n\ndata: b\n\r\n", &["a", "b"], None);
    }

    #[test]
    fn what_is_not_data_is_skipped() {
        check("\u{feff}data:a\n\n", &["a"], None);
        check(": waiting\n\nevent: x\nid: 3\nretry: 5\n\ndatax: no\ndata\n\n", &[], None);
        check("data:  two spaces\n\n\n\n", &[" two spaces"], None);
        check("data\ndata\n\n", &["\n"], None);
    }

    #[test]
    fn an_unfinished_event_is_the_rest() {
        check("data: a\n\ndata: b\n", &["a"], Some("b"));
        check("data: a\n\ndata: b", &["a"], Some("b"));
        check("data: a\n\n: b", &["a"], None);
    }

    #[test]
    fn neither_lines_nor_events_grow_beyond_the_limit() {
        let long = format!("data: {}\n\n", "x".repeat(95));
        assert_eq!(events(&[long.as_bytes()], 100), Err(EventTooLong { limit: 100 }));
        assert_eq!(events(&["x".repeat(60).as_bytes(); 2], 100), Err(EventTooLong { limit: 100 }));
        let many = "data: 0123456789\n".repeat(11);
        assert_eq!(events(&[many.as_bytes()], 100), Err(EventTooLong { limit: 100 }));
        let fits = format!("data: {}\n\n", "x".repeat(94));
        assert_eq!(events(&[fits.as_bytes()], 100).unwrap().0.len(), 1);
    }

    proptest! {
        #[test]
        fn where_the_bytes_are_cut_does_not_matter(
            stream in r"(data: ?[a-c]{0,3}|:x|event: y|é|)((\r|\n|\r\n){1,2}(data:[a-c]{0,3}|data|z|:)){0,8}(\n\n)?",
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..6),
        ) {
            let bytes = stream.as_bytes();
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let pieces: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(events(&pieces, 100), events(&[bytes], 100));
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>, limit in 0usize..40) {
            let _ = events(&[&bytes], limit);
        }
    }
}
