//! Records: an event with its place in the log, and the bytes in which it is stored.
//!
//! The stored form is one JSON object whose body comes last, so that a store can write the envelope around a body
//! that was serialised elsewhere:
//!
//! ```text
//! {"seq":7,"at":1764500000000,"epoch":2,"append":"…","v":1,"kind":"turn/start","body":{…}}
//! ```
//!
//! The hash that chains a record to the one before is over these bytes and is stored beside them.

use alloc::borrow::Cow;
use serde_json::value::RawValue;

use crate::prelude::*;
use crate::{Event, Timestamp};

/// The newest version of event bodies that this binary writes and reads.
pub(crate) const BODY_VERSION: u32 = 1;

/// Room for the stored form of most records.
const USUAL_BYTES: usize = 512;

/// A position in a session's log, from 1; 0 is before the first record.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The position after this one.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl core::fmt::Display for Seq {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(&self.0, f)
    }
}

/// The fencing token of ownership: it only rises; 0 is before the first owner.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(transparent)]
pub struct Epoch(pub u64);

/// Names one append, so that it can be looked up when its outcome is ambiguous. A client's is the key that it chose:
/// a repeated key is the same append.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct AppendId(pub String);

/// A client, as the runtime knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct By {
    /// Who.
    pub principal: String,
    /// Through what: `cli`, `interactive`, `api`; or [`By::UNATTENDED`].
    pub channel: String,
}

impl By {
    /// The channel of a process that was told to answer where nobody is: what it says are nobody's words.
    pub const UNATTENDED: &'static str = "unattended";

    /// Whether nobody was there.
    pub fn is_unattended(&self) -> bool {
        self.channel == Self::UNATTENDED
    }
}

/// One entry of a session's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its position.
    pub seq: Seq,
    /// When it was appended, for people.
    pub at: Timestamp,
    /// The owner's epoch; absent on a client's record.
    pub epoch: Option<Epoch>,
    /// The client; absent on an owner's record.
    pub by: Option<By>,
    /// Which append it came with.
    pub append: AppendId,
    /// What happened.
    pub event: Event,
}

/// Bytes that are not a record.
#[derive(Debug, thiserror::Error)]
pub enum BadRecord {
    /// Not JSON, or not the envelope.
    #[error("the stored bytes are not a record: {0}")]
    Envelope(#[source] serde_json::Error),
    /// The envelope is whole, its body is not what the kind says.
    #[error("record {seq} is not a valid {kind}: {error}")]
    Body {
        /// Where.
        seq: Seq,
        /// The kind, as written.
        kind: String,
        /// What is wrong.
        #[source]
        error: serde_json::Error,
    },
}

#[derive(Deserialize)]
struct Envelope<'a> {
    seq: Seq,
    at: Timestamp,
    #[serde(default)]
    epoch: Option<Epoch>,
    #[serde(default)]
    by: Option<By>,
    append: AppendId,
    v: u32,
    #[serde(borrow)]
    kind: Cow<'a, str>,
    #[serde(borrow)]
    body: &'a RawValue,
}

impl Record {
    /// Reads stored bytes. A kind or version that this binary does not know becomes [`Event::Unknown`].
    ///
    /// # Errors
    /// When the bytes are not a record, or the body is not what its kind says.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BadRecord> {
        let envelope: Envelope<'_> = serde_json::from_slice(bytes).map_err(BadRecord::Envelope)?;
        let event = Event::from_body(&envelope.kind, envelope.v, envelope.body.get()).map_err(|error| {
            BadRecord::Body { seq: envelope.seq, kind: envelope.kind.clone().into_owned(), error }
        })?;
        Ok(Self {
            seq: envelope.seq,
            at: envelope.at,
            epoch: envelope.epoch,
            by: envelope.by,
            append: envelope.append,
            event,
        })
    }

    /// The bytes to store. Reading them gives the same record, and writing that gives the same bytes.
    ///
    /// # Errors
    /// Never for an event of this crate's types; the signature follows `serde_json`.
    pub fn to_bytes(&self) -> Result<Vec<u8>, serde_json::Error> {
        let version = match &self.event {
            Event::Unknown(unknown) => unknown.version,
            _ => BODY_VERSION,
        };
        let mut out = String::with_capacity(USUAL_BYTES);
        let mut field = |name: &str, value: serde_json::Result<String>| {
            out.push_str(name);
            value.map(|value| out.push_str(&value))
        };
        field(r#"{"seq":"#, serde_json::to_string(&self.seq))?;
        field(r#","at":"#, serde_json::to_string(&self.at))?;
        if let Some(epoch) = self.epoch {
            field(r#","epoch":"#, serde_json::to_string(&epoch))?;
        }
        if let Some(by) = &self.by {
            field(r#","by":"#, serde_json::to_string(by))?;
        }
        field(r#","append":"#, serde_json::to_string(&self.append))?;
        field(r#","v":"#, serde_json::to_string(&version))?;
        field(r#","kind":"#, serde_json::to_string(self.event.kind()))?;
        field(r#","body":"#, self.event.body_json())?;
        out.push('}');
        Ok(out.into_bytes())
    }
}

impl Event {
    /// An event of the same kind, with another body.
    ///
    /// # Errors
    /// When the body is not what the kind says.
    pub fn with_body(&self, body: &str) -> Result<Self, serde_json::Error> {
        let version = match self {
            Self::Unknown(unknown) => unknown.version,
            _ => BODY_VERSION,
        };
        Self::from_body(self.kind(), version, body)
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;
    use crate::{NoticeAdded, NoticeReason, UnknownEvent};
    use proptest::prelude::*;

    fn notice(text: &str) -> Record {
        Record {
            seq: Seq(7),
            at: Timestamp(1_764_500_000_000),
            epoch: Some(Epoch(2)),
            by: None,
            append: AppendId("a1".into()),
            event: NoticeAdded { text: text.into(), reason: NoticeReason::Recovered, cause: None }.into(),
        }
    }

    proptest! {
        #[test]
        fn any_text_survives_the_stored_form(text in ".{0,200}") {
            let record = notice(&text);
            let bytes = record.to_bytes().unwrap();
            prop_assert_eq!(Record::from_bytes(&bytes).unwrap(), record);
        }

        #[test]
        fn random_and_cut_bytes_are_errors_not_panics(bytes: Vec<u8>, cut in 0usize..100) {
            let _ = Record::from_bytes(&bytes);
            let whole = notice("cut").to_bytes().unwrap();
            let cut = cut.min(whole.len() - 1);
            prop_assert!(Record::from_bytes(&whole[..cut]).is_err());
        }
    }

    #[test]
    fn the_stored_form_is_stable() {
        let bytes = notice("hi").to_bytes().unwrap();
        assert_eq!(
            core::str::from_utf8(&bytes).unwrap(),
            r#"{"seq":7,"at":1764500000000,"epoch":2,"append":"a1","v":1,"kind":"notice/added","body":{"text":"hi","reason":"recovered"}}"#
        );
    }

    #[test]
    fn an_unknown_kind_or_version_is_kept_whole() {
        for (kind, v) in [("goal/created", 1), ("notice/added", 9)] {
            let text =
                format!(r#"{{"seq":1,"at":5,"append":"x","v":{v},"kind":"{kind}","body":{{"new":[1,2]}}}}"#);
            let record = Record::from_bytes(text.as_bytes()).unwrap();
            assert!(matches!(&record.event, Event::Unknown(UnknownEvent { version, .. }) if *version == v));
            assert_eq!(record.to_bytes().unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn a_wrong_body_names_its_place() {
        let text = r#"{"seq":12,"at":5,"append":"x","v":1,"kind":"turn/end","body":{}}"#;
        let error = Record::from_bytes(text.as_bytes()).unwrap_err();
        assert!(alloc::string::ToString::to_string(&error).starts_with("record 12 is not a valid turn/end"));
    }
}
