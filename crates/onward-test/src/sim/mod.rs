//! The simulator: a whole world from one number, in simulated time.
//!
//! ```text
//!  seed ──▶ World ── hosts ── process ── Owner (the real one) ──▶ Door ──▶ Store      what is on disk
//!             │                  │ dies, freezes                └▶ Hand ──▶ Machine    supervisors
//!             ├── person: sends, interrupts, answers late and twice    └──▶ Outside    what really happened
//!             └── nature: takes the power away
//! ```
//!
//! The runtime is the real one; everything around it is simulated, in memory, on one thread, in time that is paused and
//! jumps to the next thing that happens. All that varies is drawn from the seed, so the same seed gives the same log, byte
//! for byte. Processes die and freeze at every place around commits, requests and effects; a frozen one loses its session
//! to another host, wakes, and goes on as if nothing had been; commands go on under their supervisors; disks are full,
//! answers get lost, and the power fails, which takes away what was not on disk.
//!
//! In the end, when nothing goes wrong any more, everything must come to rest: see [`WrongKind`] for what is looked at.
//! [`Planted`] is a defect in the simulated world, never in the runtime: each must be found.
//!
//! `cargo test -p onward-test --test sim` tries 1,000 seeds; `ONWARD_SIM_SEEDS=100000` before it more, and
//! `ONWARD_SIM_SEED=17` that one alone, with its log.

mod door;
mod executor;
mod fault;
mod host;
mod launch;
mod machine;
mod model;
mod outside;
mod person;
mod policy;
mod process;
mod run;
mod say;
mod store;
mod tools;
mod verify;
mod view;
mod world;
mod wrong;

pub use fault::{Fault, Place, Seen};
pub use run::{Outcome, simulate};
pub use world::Planted;
pub use wrong::{Wrong, WrongKind};
