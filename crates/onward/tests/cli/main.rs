//! The real program, end to end: real processes, signals, files and sockets; a scripted model instead of a provider.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "helpers of tests are tests, too"
)]

#[expect(dead_code, unused_imports, reason = "shared with the other suites of the program")]
mod support;

mod answers;
mod approvals;
mod attacks;
mod canary;
mod contained;
mod conversation;
mod cut;
mod demo;
mod exit_codes;
mod experience;
mod interrupts;
mod json;
mod killed;
mod matrix;
mod modes;
mod names;
mod nonsense;
mod policy;
mod quiet_words;
mod recover;
mod request;
mod settle;
mod standing;
mod terminal;
mod trust;
mod two_processes;
mod unclear;
mod unknown_outcomes;
mod unwritable;
mod views;
mod wrong_config;
