//! The content store: bytes are stored once, under their digest.

use bytes::Bytes;
use onward_event::Digest;

use crate::{BoxFuture, LogError};

/// Bytes to store, with the digest under which records name them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The digest of `bytes`.
    pub hash: Digest,
    /// The content.
    pub bytes: Bytes,
}

impl Blob {
    /// Computes the digest.
    pub fn new(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self { hash: crate::digest(&bytes), bytes }
    }
}

/// Reads the content store. Writing happens with the append that names the content ([`crate::Append::blobs`]).
pub trait Blobs: Send + Sync {
    /// The bytes under this digest, verified against it; `None` when there are none.
    ///
    /// # Errors
    /// [`LogError::Damaged`] when what is stored is not what the digest says.
    fn get(&self, hash: Digest) -> BoxFuture<'_, Result<Option<Bytes>, LogError>>;
}
