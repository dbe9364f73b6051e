//! Jobs, with real processes: they go on when their call, their turn and their process have ended; their true end is
//! recorded once and told once; and nothing of them is left when they are cancelled.
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "helpers of tests are tests, too"
)]

mod background;
mod cancel;
mod crashes;
mod job;
mod leave;
mod places;
mod sent;
mod stopped;
#[path = "../cli/support/mod.rs"]
#[expect(dead_code, unused_imports, reason = "the other suites of the program use the rest")]
mod support;
mod unknown;
