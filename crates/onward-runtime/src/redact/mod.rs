//! Where secrets are taken out (seed, section 17): nothing reaches the log, the content store or a watcher but through
//! here.
//!
//! - What the owner decides is redacted before it is applied (`Ctx::redact`), so the state, and with it the next request,
//!   is a fold of exactly what the log holds.
//! - What clients append is redacted by [`RedactedLog`], which also refuses whatever an owner would append unredacted.
//! - Content is redacted before its hash is made, and the pieces of a reply before anybody sees them.
//! - What commands print is redacted by [`RedactedExecutor`], before a tool cuts it short.

mod deltas;
mod executor;
mod log;

pub(crate) use deltas::RedactedDeltas;
pub use executor::RedactedExecutor;
pub use log::RedactedLog;
