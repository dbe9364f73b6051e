//! Time and chance, as ports: the core takes both as arguments, and tests replace both.

use onward_event::Timestamp;

/// The wall clock.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;
}

/// The source of ids.
pub trait Ids: Send + Sync {
    /// 128 bits that were never given out before; a UUIDv7 in production, so that ids sort by time.
    fn next(&self) -> u128;
}
