//! Loss of power: what was said to be on disk is there afterwards, byte for byte; what was not may be gone, but only
//! from the end, and only whole appends.
//!
//! `ONWARD_POWER_SEEDS` sets how many seeds each test tries. A failure prints its seed and where the power failed.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "helpers of tests fail as tests do; clippy only knows functions that are tests themselves"
)]

mod again;
mod content;
mod control;
mod disk;
mod events;
mod life;
mod seeds;
mod sqlite;
mod store;
mod truth;
mod twice;
mod user;
mod verify;
