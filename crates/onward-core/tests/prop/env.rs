//! What the tests lend to the checker.

use std::collections::BTreeMap;

use onward_core::check::{CheckEnv, Rebuilt};
use onward_event::{Digest, RequestPrepared, Seq};

/// Digests of requests, made again from the log up to the record that names them.
pub(crate) struct Env<'a> {
    pub(crate) requests: &'a BTreeMap<Seq, Digest>,
}

impl CheckEnv for Env<'_> {
    fn chain(&self, before: &Digest, bytes: &[u8]) -> Digest {
        hash(before, bytes)
    }

    fn has_blob(&self, _: &Digest) -> bool {
        true
    }

    fn blob_contains(&self, _: &Digest, _: &[u8]) -> bool {
        false
    }

    fn secrets(&self) -> &[String] {
        &[]
    }

    fn rebuild(&mut self, _: &RequestPrepared, at: Seq) -> Rebuilt {
        match self.requests.get(&at) {
            Some(digest) => Rebuilt::Digest(*digest),
            None => Rebuilt::Failed("the log before it was not folded".into()),
        }
    }
}

/// A hash that is good enough to tell the logs and requests of a test apart.
pub(crate) fn hash(before: &Digest, bytes: &[u8]) -> Digest {
    let mut out = [0; 32];
    for (lane, slot) in out.chunks_exact_mut(8).enumerate() {
        let seed = 0xcbf2_9ce4_8422_2325_u64 ^ ((lane as u64) << 32);
        let all = before.0.iter().chain(bytes);
        let mixed =
            all.fold(seed, |state, byte| (state ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3));
        slot.copy_from_slice(&mixed.to_le_bytes());
    }
    Digest(out)
}
