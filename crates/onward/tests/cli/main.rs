//! The real program, end to end: real processes, signals, files and sockets; a scripted model instead of a provider.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests, too"
)]

mod support;

mod answers;
mod approvals;
mod contained;
mod conversation;
mod damage;
mod demo;
mod exit_codes;
mod full_disk;
mod interrupts;
mod json;
mod killed;
mod matrix;
mod nonsense;
mod recover;
mod terminal;
mod two_processes;
mod unknown_outcomes;
mod unwritable;
mod views;
