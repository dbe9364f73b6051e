//! The attacks that are known and the work that is ordinary, as data, and what becomes of both.
//!
//! ```text
//!  attacks.toml   every known way, and the tests that show it       ─▶ coverage (a test of this crate)
//!  benign.toml    what developers have commands do                  ─▶ decided by policy ─▶ false asks
//!                                                                   ─▶ run in each tier  ─▶ does it still work
//!  hostile.toml   what a model that was talked into it would run    ─▶ decided by policy
//!                                                                   ─▶ run uncontained, and in each tier: harm?
//! ```
//!
//! What is run is what a decision made of a command: its rendered text, with the reach that it was given. Both halves are also
//! done from end to end, by `onward exec` with a scripted model.
//!
//! Neither half can be won alone: who denies everything has only false asks and broken work, who allows everything has
//! only harm. `cargo xtask security` does all of it; decisions alone are a test.

mod benign;
mod cases;
mod hostile;
mod judge;
mod outcome;
mod program;
mod rate;
mod report;
mod sessions;
mod site;
mod trials;
mod witness;

pub use benign::{Asks, Benign, Command, Group};
pub use cases::{Case, Cases, where_test_is};
pub use hostile::{AtLeast, Attack, Hostile};
pub use judge::Judge;
pub use outcome::{AttackRow, Outcome, Totals, Work};
pub use program::{Ended, Program};
pub use rate::{FALSE_ASK_LIMIT, FalseAsk, Rate, rates};
pub use report::Report;
pub use sessions::{SESSIONS, work_in_sessions};
pub use trials::{attacks, work};
