//! Golden logs: records as they were once stored, one a line, to be read for ever.
//!
//! ```text
//! 7 <hash, 64 hexadecimal digits> <the stored bytes, which are JSON on one line>
//! ```

use anyhow::{Context as _, Result};
use onward_event::{Digest, Record, Seq};
use onward_port::StoredRecord;

/// A record's line.
///
/// # Errors
/// Never for an event that this version knows.
pub fn golden_line(record: &Record, hash: &Digest) -> Result<String> {
    Ok(format!("{} {hash} {}\n", record.seq, String::from_utf8(record.to_bytes()?)?))
}

/// Reads a golden log; nothing about its content is verified.
///
/// # Errors
/// The first line that has not this shape.
pub fn read_golden(text: &str) -> Result<Vec<StoredRecord>> {
    text.lines()
        .enumerate()
        .map(|(at, line)| read_line(line).with_context(|| format!("line {}", at + 1)))
        .collect()
}

fn read_line(line: &str) -> Result<StoredRecord> {
    let mut parts = line.splitn(3, ' ');
    let mut part = |what: &'static str| parts.next().with_context(|| format!("there is no {what}"));
    let (seq, hash, bytes) = (part("number")?, part("hash")?, part("record")?);
    Ok(StoredRecord { seq: Seq(seq.parse()?), hash: hash.parse()?, bytes: bytes.into() })
}
