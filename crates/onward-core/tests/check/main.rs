//! The log checker, at its boundary: whole logs go in, a report comes out.
//!
//! `good` holds logs that must pass, and all their prefixes; `damage` at least one damaged log for each rule, because
//! a checker that cannot fail proves nothing; `mutate` damages good logs at random and systematically.
#![expect(clippy::unwrap_used, reason = "a test that cannot build its log has failed")]

mod damage;
mod env;
mod good;
mod log;
mod mutate;
mod quiet;
mod recovery;
mod snapshot;
mod values;
