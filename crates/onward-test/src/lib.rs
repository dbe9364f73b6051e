//! The whole runtime on real parts, for tests: a real store in a temporary folder, the scripted model, tools of every
//! kind of effect, and crashes at any point.
//!
//! ```text
//!  Scenario (TOML) ──▶ run(scenario, CrashPlan per life) ──▶ Run ──▶ verify(scenario, run)
//!                        │
//!                        └─ a life: runtime + store + owner. A crash drops all three; what the next life finds is
//!                           the log, the workspace and the ledger, as after the death of a process
//! ```
//!
//! Nothing in the product knows of crashes: every port is decorated, and each decorator passes [`Points`], which are
//! counted and at one of which the life ends. What happened in the world is written to a [`Ledger`] outside of it all.

mod clock;
mod crash;
mod direct;
mod golden;
mod ids;
mod ledger;
mod not_tested;
pub mod power;
mod run;
mod scenario;
pub mod security;
mod show;
pub mod sim;
mod tools;
mod watchdog;

pub use clock::SteppingClock;
pub use crash::{
    CrashPlan, CrashingLog, CrashingModel, CrashingTool, GarblingModel, Point, PointKind, Points,
};
pub use direct::DirectExecutor;
pub use golden::{golden_line, read_golden};
pub use ids::CountingIds;
pub use ledger::Ledger;
pub use not_tested::not_tested;
pub use run::{End, Run, World, run, verify};
pub use scenario::{AfterCrash, Answer, Expected, Scenario};
pub use show::{events, history, screen};
pub use tools::{LedgerTool, ledger_tools};
pub use watchdog::within;
