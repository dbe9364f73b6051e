//! The real program, end to end: real processes, signals, files and sockets; a scripted model instead of a provider.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests, too"
)]

mod support;

mod cli;
mod ends;
mod jobs;
mod promises;
