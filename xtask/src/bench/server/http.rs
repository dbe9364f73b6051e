//! As much of HTTP as a client of a model needs: requests with a length, on connections that stay open.

use std::io::{self, Read};
use std::time::Instant;

/// The largest head of a request.
const MAX_HEAD: usize = 64 << 10;

/// A request whose body is whole.
pub(super) struct Request {
    pub(super) arrived: Instant,
    pub(super) body: Vec<u8>,
}

/// Reads the next request; `None` at the end of the connection.
pub(super) fn read(stream: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<Option<Request>> {
    let mut arrived = (!buffer.is_empty()).then(Instant::now);
    let end = loop {
        if let Some(end) = find(buffer, b"\r\n\r\n") {
            break end + 4;
        }
        if buffer.len() > MAX_HEAD {
            return Err(io::Error::other("the head of a request does not end"));
        }
        if more(stream, buffer)? == 0 {
            return Ok(None);
        }
        arrived.get_or_insert_with(Instant::now);
    };
    let length =
        length(&buffer[..end]).ok_or_else(|| io::Error::other("a request does not say its length"))?;
    while buffer.len() < end + length {
        if more(stream, buffer)? == 0 {
            return Ok(None);
        }
    }
    let body = buffer[end..end + length].to_vec();
    buffer.drain(..end + length);
    Ok(Some(Request { arrived: arrived.unwrap_or_else(Instant::now), body }))
}

fn more(stream: &mut impl Read, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let mut piece = [0; 64 << 10];
    let read = stream.read(&mut piece)?;
    buffer.extend_from_slice(&piece[..read]);
    Ok(read)
}

fn length(head: &[u8]) -> Option<usize> {
    let head = String::from_utf8_lossy(head);
    let value = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().to_owned())
    });
    value?.parse().ok()
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
