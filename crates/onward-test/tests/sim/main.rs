//! Whole worlds, each from one number, in simulated time: nothing that is promised is broken in any of them, and each
//! defect that is built into one on purpose is found.
//!
//! `ONWARD_SIM_SEEDS=100000 cargo test -p onward-test --test sim` tries more of them. A failure prints its seed, and the
//! command that runs it alone and shows its log.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail as tests do; clippy only knows functions that are tests themselves"
)]

mod again;
mod control;
mod seeds;
mod support;
