//! The whole runtime on real parts: every scenario without a crash, and with a crash at every point of it.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests are tests, too")]

mod crashes;
mod golden;
mod look_ahead;
mod scenarios;
mod security;
mod stored_fold;
mod support;
mod unawaited_job;
mod unsure_append;
