//! The rules, from a file to a decision.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot set up its desk has failed")]

mod attacks;
mod decisions;
mod explaining;
mod grants;
mod loading;
mod modes;
mod neighbours;
mod never_looser;
mod spellings;
mod support;
