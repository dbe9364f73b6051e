//! What the tests lend to the checker, and how logs are sealed: numbered, written and chained.

use std::collections::BTreeMap;

use onward_core::check::{CheckEnv, Checked, Rebuilt, Report, check};
use onward_event::{Digest, Event, Record, RequestPrepared, Seq, TurnSource};

use crate::values::{HEAD, head, request_digest};

/// The only encoder that the tests know.
pub(crate) const ENCODER: &str = "chat/1";

pub(crate) struct Env {
    pub(crate) blobs: BTreeMap<Digest, Vec<u8>>,
    pub(crate) secrets: Vec<String>,
}

/// A record as a store keeps it.
#[derive(Clone)]
pub(crate) struct Stored {
    pub(crate) record: Record,
    pub(crate) bytes: Vec<u8>,
    pub(crate) hash: Digest,
}

impl Default for Env {
    fn default() -> Self {
        Self { blobs: BTreeMap::from([(head(), HEAD.to_vec())]), secrets: vec!["hunter2\"x".into()] }
    }
}

impl CheckEnv for Env {
    fn chain(&self, before: &Digest, bytes: &[u8]) -> Digest {
        hash(before, bytes)
    }

    fn has_blob(&self, digest: &Digest) -> bool {
        self.blobs.get(digest).is_some_and(|bytes| hash(&Digest::ZERO, bytes) == *digest)
    }

    fn blob_contains(&self, digest: &Digest, needle: &[u8]) -> bool {
        let holds = |bytes: &Vec<u8>| bytes.windows(needle.len()).any(|window| window == needle);
        self.blobs.get(digest).is_some_and(holds)
    }

    fn secrets(&self) -> &[String] {
        &self.secrets
    }

    fn rebuild(&mut self, prepared: &RequestPrepared, _: Seq) -> Rebuilt {
        if prepared.projection.encoder != ENCODER {
            return Rebuilt::Unverifiable(format!("encoder `{}`", prepared.projection.encoder));
        }
        if prepared.manifest.base > 1_000 {
            return Rebuilt::Failed("there is no such base".into());
        }
        Rebuilt::Digest(request_digest(prepared.step, prepared.revision))
    }
}

/// A hash that is good enough to notice what the tests change.
pub(crate) fn hash(before: &Digest, bytes: &[u8]) -> Digest {
    let mut state = before.0;
    let mut rolling: u64 = 0xcbf2_9ce4_8422_2325;
    for (i, byte) in before.0.iter().chain(bytes).enumerate() {
        rolling = (rolling ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        state[i % 32] ^= (rolling >> 32) as u8;
    }
    state[..8].copy_from_slice(&rolling.to_le_bytes());
    Digest(state)
}

/// Numbers the records from 1, keeps what names a number pointing at the same record, and chains them.
pub(crate) fn seal(records: &[Record]) -> Vec<Stored> {
    let moved: BTreeMap<Seq, Seq> = records.iter().zip(1..).map(|(record, n)| (record.seq, Seq(n))).collect();
    let mut last = Digest::ZERO;
    let mut sealed = Vec::new();
    for (record, n) in records.iter().zip(1..) {
        let mut record = Record { seq: Seq(n), ..record.clone() };
        if let Event::TurnStart(body) = &mut record.event
            && let TurnSource::Continuation(seq) = &mut body.source
        {
            *seq = moved.get(seq).copied().unwrap_or(Seq(999));
        }
        let bytes = record.to_bytes().unwrap();
        last = hash(&last, &bytes);
        sealed.push(Stored { record, bytes, hash: last });
    }
    sealed
}

pub(crate) fn check_stored(stored: &[Stored], env: &mut Env) -> Report {
    check(stored.iter().map(|s| Checked { record: &s.record, bytes: &s.bytes, hash: s.hash }), env)
}

pub(crate) fn check_records(records: &[Record]) -> Report {
    check_stored(&seal(records), &mut Env::default())
}
