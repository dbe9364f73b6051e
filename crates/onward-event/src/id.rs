//! Typed, prefixed ids.
//!
//! An id is 128 bits, normally a UUIDv7, written as TypeID writes it: a prefix that names the kind, an
//! underscore, and 26 characters of lowercase Crockford base 32 (`turn_01h455vb4pex5vsknk084sn02q`). The type
//! keeps a step's id from being passed for a turn's; the prefix does the same for people and for JSON.

use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserializer, Error as _, Visitor};
use serde::{Deserialize, Serialize, Serializer};

const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX_LEN: usize = 26;

/// The value of each character of the alphabet; ids are most of what opening a session has to read.
const VALUES: [u8; 256] = {
    let mut values = [u8::MAX; 256];
    let mut i = 0;
    while i < ALPHABET.len() {
        values[ALPHABET[i] as usize] = i as u8;
        i += 1;
    }
    values
};

/// A text that is not an id of the expected kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{given}` is not {article} {kind} id: expected `{kind}_` and 26 characters of 0-9 a-z without i, l, o, u"
)]
pub struct BadId {
    given: String,
    article: &'static str,
    kind: &'static str,
}

fn encode(bits: u128) -> [u8; SUFFIX_LEN] {
    let mut out = [0u8; SUFFIX_LEN];
    let mut rest = bits;
    for slot in out.iter_mut().rev() {
        *slot = ALPHABET[(rest & 31) as usize];
        rest >>= 5;
    }
    out
}

fn decode(suffix: &str) -> Option<u128> {
    if suffix.len() != SUFFIX_LEN {
        return None;
    }
    let mut bits: u128 = 0;
    for (i, c) in suffix.bytes().enumerate() {
        let value = u128::from(VALUES[usize::from(c)]);
        // 26 characters hold 130 bits: the first may use only its low three.
        if value > 31 || (i == 0 && value > 7) {
            return None;
        }
        bits = (bits << 5) | value;
    }
    Some(bits)
}

macro_rules! typed_ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal, $article:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u128);

        impl $name {
            /// What stands before the underscore.
            pub const PREFIX: &'static str = $prefix;

            /// Makes an id of 128 bits that the caller chose: random, a UUIDv7, or derived from a digest.
            pub const fn from_bits(bits: u128) -> Self {
                Self(bits)
            }

            /// The 128 bits.
            pub const fn bits(self) -> u128 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str($prefix)?;
                f.write_str("_")?;
                let suffix = encode(self.0);
                // The alphabet is ASCII, so this always holds.
                f.write_str(core::str::from_utf8(&suffix).unwrap_or_default())
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
            type Err = BadId;
            fn from_str(text: &str) -> Result<Self, BadId> {
                text.strip_prefix(concat!($prefix, "_")).and_then(decode).map(Self).ok_or_else(|| BadId {
                    given: text.chars().take(80).collect(),
                    article: $article,
                    kind: $prefix,
                })
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct IdVisitor;
                impl Visitor<'_> for IdVisitor {
                    type Value = $name;
                    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                        f.write_str(concat!("an id that starts with ", $prefix, "_"))
                    }
                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        text.parse().map_err(E::custom)
                    }
                }
                deserializer.deserialize_str(IdVisitor).map_err(D::Error::custom)
            }
        }

        impl JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }
            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                let pattern = concat!("^", $prefix, "_[0-7][0-9a-hjkmnp-tv-z]{25}$").to_string();
                json_schema!({ "type": "string", "pattern": pattern })
            }
        }
    )*};
}

typed_ids! {
    /// A session: one log.
    SessionId = "ses", "a";
    /// A message in a session's inbox. The sender may choose it; the first record of an id wins.
    MessageId = "msg", "a";
    /// A claimed piece of work; the same over all turns that recovery makes of it.
    RunId = "run", "a";
    /// One continuous execution of a run.
    TurnId = "turn", "a";
    /// One logical decision of the model within a turn.
    StepId = "step", "a";
    /// One request that was actually sent to a model.
    AttemptId = "att", "an";
    /// One tool call.
    CallId = "call", "a";
    /// One command that runs in the background.
    JobId = "job", "a";
    /// One question whether a call may run.
    ApprovalId = "appr", "an";
    /// A stored result that is too large for a message.
    ArtifactId = "art", "an";
    /// Ties the records of one run together for tracing tools.
    TraceId = "trace", "a";
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_id_reads_back(bits: u128) {
            let id = TurnId::from_bits(bits);
            prop_assert_eq!(id.to_string().parse::<TurnId>(), Ok(id));
            let json = serde_json::to_string(&id).unwrap();
            prop_assert_eq!(serde_json::from_str::<TurnId>(&json).unwrap(), id);
        }

        #[test]
        fn no_text_panics(text in ".{0,60}") {
            let _ = text.parse::<CallId>();
        }
    }

    #[test]
    fn the_written_form_is_that_of_typeid() {
        // The example of the TypeID specification: UUID 01890a5d-ac96-774b-bcce-b302099a8057.
        let id = TurnId::from_bits(0x01890a5d_ac96_774b_bcce_b302099a8057);
        assert_eq!(id.to_string(), "turn_01h455vb4pex5vsknk084sn02q");
    }

    #[test]
    fn wrong_kind_length_and_overflow_are_refused() {
        for bad in [
            "step_01h455vb4pex5vsknk084sn02q",
            "turn_01h455vb4pex5vsknk084sn02",
            "turn_81h455vb4pex5vsknk084sn02q",
            "turn_01h455vb4pex5vsknk084sn02L",
            "",
        ] {
            assert!(bad.parse::<TurnId>().is_err(), "{bad}");
        }
    }
}
