//! Where a client is in a log: a sequence number, and enough of that record's hash to notice that the number was used
//! again. (After a loss of power, records that were not yet on disk may be gone, and others take their numbers.)

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use onward_event::{Digest, Seq};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize, Serializer};

/// A position in a session's log, written `42-1a2b3c4d`: the sequence number, and the first eight hexadecimal digits
/// of that record's hash. Everything up to and including the record has been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cursor {
    seq: Seq,
    hash: [u8; 4],
}

/// A text that is not a cursor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{given}` is not a cursor: expected a record's number, `-`, and the first 8 hexadecimal digits of its hash, as in `42-1a2b3c4d`"
)]
pub struct BadCursor {
    given: String,
}

impl Cursor {
    /// Before the first record: nothing has been seen.
    pub const START: Self = Self { seq: Seq(0), hash: [0; 4] };

    /// The cursor of a record with this position and hash.
    pub fn new(seq: Seq, hash: &Digest) -> Self {
        let [a, b, c, d, ..] = hash.0;
        Self { seq, hash: [a, b, c, d] }
    }

    /// The last record that has been seen; 0 for none.
    pub fn seq(self) -> Seq {
        self.seq
    }

    /// Whether the record that has this number *now* is the one that was seen. When it is not, the client has to start
    /// over.
    pub fn agrees_with(self, seq: Seq, hash: &Digest) -> bool {
        self == Self::new(seq, hash)
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:08x}", self.seq, u32::from_be_bytes(self.hash))
    }
}

impl FromStr for Cursor {
    type Err = BadCursor;
    fn from_str(text: &str) -> Result<Self, BadCursor> {
        parse(text).ok_or_else(|| BadCursor { given: text.chars().take(80).collect() })
    }
}

impl Serialize for Cursor {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cursor {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

impl JsonSchema for Cursor {
    fn schema_name() -> Cow<'static, str> {
        "Cursor".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A position in a session's log: everything up to and including this record has been seen.",
            "type": "string",
            "pattern": "^(0|[1-9][0-9]*)-[0-9a-f]{8}$"
        })
    }
}

/// One cursor has one written form: no sign, no leading zero, lowercase digits.
fn parse(text: &str) -> Option<Cursor> {
    let (seq, hash) = text.split_once('-')?;
    let canonical = seq == "0" || !seq.starts_with('0');
    let digits = |text: &str, ok: fn(&u8) -> bool| !text.is_empty() && text.bytes().all(|c| ok(&c));
    let is_hex = |c: &u8| c.is_ascii_digit() || (b'a'..=b'f').contains(c);
    if !canonical || !digits(seq, u8::is_ascii_digit) || hash.len() != 8 || !digits(hash, is_hex) {
        return None;
    }
    let seq = Seq(seq.parse().ok()?);
    Some(Cursor { seq, hash: u32::from_str_radix(hash, 16).ok()?.to_be_bytes() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_cursor_reads_back(seq: u64, hash: [u8; 32]) {
            let cursor = Cursor::new(Seq(seq), &Digest(hash));
            prop_assert_eq!(cursor.to_string().parse(), Ok(cursor));
            let json = serde_json::to_string(&cursor).unwrap();
            prop_assert_eq!(serde_json::from_str::<Cursor>(&json).unwrap(), cursor);
        }

        #[test]
        fn what_parses_is_written_the_same(text in "[0-9]{1,22}-[0-9a-fA-F]{7,9}|.{0,40}") {
            if let Ok(cursor) = text.parse::<Cursor>() {
                prop_assert_eq!(cursor.to_string(), text);
            }
        }
    }

    #[test]
    fn the_written_form_is_the_short_hash_of_a_person() {
        let hash = Digest([0xa7; 32]);
        let cursor = Cursor::new(Seq(42), &hash);
        assert_eq!(cursor.to_string(), format!("42-{}", hash.short()));
        assert_eq!(Cursor::START.to_string(), "0-00000000");
    }

    #[test]
    fn a_number_that_was_used_again_is_noticed() {
        let cursor = Cursor::new(Seq(42), &Digest([1; 32]));
        assert!(cursor.agrees_with(Seq(42), &Digest([1; 32])));
        assert!(!cursor.agrees_with(Seq(42), &Digest([2; 32])));
        assert!(!cursor.agrees_with(Seq(43), &Digest([1; 32])));
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in [
            "",
            "-",
            "42",
            "42-",
            "042-1a2b3c4d",
            "+4-1a2b3c4d",
            "42-1A2B3C4D",
            "42-1a2b3c4",
            "42-+a2b3c4d",
            "42-1a2b3c4d-",
            "99999999999999999999-1a2b3c4d",
            "4é-1a2b3c4d",
        ] {
            assert!(bad.parse::<Cursor>().is_err(), "{bad}");
        }
    }
}
