//! The log checker: the invariants that hold on any log, verified without the runtime.
//!
//! The checker shares no state and no code with the fold that the runtime works on, so that a fault there cannot
//! hide itself here. Each rule is a small fold of its own, named by its number in the project's list of invariants,
//! and remembers what is still open; of closed things it keeps at most the id, because an id may be used only once.
//!
//! ```text
//! stored records ──▶ Checker ──▶ rule 1, rule 2, … rule 22 ──▶ Report
//!                       │                 │
//!                       │                 └─ CheckEnv: hashes, blobs, secrets, rebuilt requests
//!                       └─ told of each record, of the end of each append, and of quiet at the end
//! ```
//!
//! Two kinds of rules meet here. *Prefix* rules hold after every append. *Convergence* rules are judged only when
//! the log ends quiet: no open turn, no continuation that waits, no waking message that waits. An append is atomic,
//! so what must stand together in one append is judged when the append is over; a log that ends in the middle of
//! one is damaged, and is reported.

mod approvals;
mod artifacts;
mod attempts;
mod blobs;
mod calls;
mod chain;
mod checker;
mod completion;
mod continuations;
mod env;
mod handover;
mod history;
mod inbox;
mod interrupts;
mod jobs;
mod nesting;
mod output;
mod owner;
mod quiet;
mod report;
mod requests;
mod rule;
mod runs;
mod secrets;
mod single;
mod sources;
mod usage;

pub use blobs::blobs_of;
pub use checker::{Checker, check};
pub use env::{CheckEnv, Checked, Rebuilt};
pub use report::{MAX_FINDINGS, Report, Violation};
