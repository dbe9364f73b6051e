//! The one place that says which hash function is used: BLAKE3.

use onward_event::Digest;

/// The digest of these bytes.
pub fn digest(bytes: &[u8]) -> Digest {
    Digest(*blake3::hash(bytes).as_bytes())
}

/// The digest that chains `bytes` to what came before: the records of a log, the items of a request.
pub fn chain(before: &Digest, bytes: &[u8]) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&before.0);
    hasher.update(bytes);
    Digest(*hasher.finalize().as_bytes())
}

/// A chain under construction. Copying one is cheap, so a prefix can be kept and extended in several ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DigestChain(Digest);

impl DigestChain {
    /// The chain before its first item.
    pub const fn new() -> Self {
        Self(Digest::ZERO)
    }

    /// With one more item.
    #[must_use]
    pub fn with(self, item: &[u8]) -> Self {
        Self(chain(&self.0, item))
    }

    /// The digest of all items so far, in their order.
    pub fn digest(self) -> Digest {
        self.0
    }
}

impl Default for DigestChain {
    fn default() -> Self {
        Self::new()
    }
}
