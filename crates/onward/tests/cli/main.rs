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
mod conversation;
mod damage;
mod demo;
mod exit_codes;
mod full_disk;
mod interrupts;
mod json;
mod killed;
mod matrix;
mod names;
mod nonsense;
mod quiet_words;
mod recover;
mod settle;
mod standing;
mod terminal;
mod two_processes;
mod unknown_outcomes;
mod unwritable;
mod views;
