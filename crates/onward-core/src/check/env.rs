//! What a pure checker must be lent: hashes, the content store, the secrets to look for, and rebuilt requests.

use alloc::string::String;

use onward_event::{Digest, Record, RequestPrepared, Seq};

/// One stored record, as it was read.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    /// What the bytes say.
    pub record: &'a Record,
    /// The stored bytes.
    pub bytes: &'a [u8],
    /// The stored hash, which chains the bytes to the record before.
    pub hash: Digest,
}

/// A request, built again from the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rebuilt {
    /// The digest of what was built.
    Digest(Digest),
    /// This binary lacks the projection that made the request; names what it lacks.
    Unverifiable(String),
    /// The log does not hold what the request is said to be made of; says what is missing.
    Failed(String),
}

/// What the checker asks of its caller.
pub trait CheckEnv {
    /// The hash that chains `bytes` to `before`.
    fn chain(&self, before: &Digest, bytes: &[u8]) -> Digest;

    /// Whether the content exists and is what its digest says.
    fn has_blob(&self, hash: &Digest) -> bool;

    /// Whether the content holds `needle`; `false` when there is no such content.
    fn blob_contains(&self, hash: &Digest, needle: &[u8]) -> bool;

    /// The values that must stand nowhere. They are never repeated in a report.
    fn secrets(&self) -> &[String];

    /// Builds again the request that `prepared`, the record at `at`, describes: from the records before `at`.
    fn rebuild(&mut self, prepared: &RequestPrepared, at: Seq) -> Rebuilt;
}
