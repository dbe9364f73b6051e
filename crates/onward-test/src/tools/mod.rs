//! Tools of every kind of effect, all writing to the ledger.
//!
//! | tool | semantics | what it writes |
//! |---|---|---|
//! | `look` | no effects, may run again | `look NAME`, each time |
//! | `peek` | no effects, must not run again | `peek NAME` |
//! | `put` | idempotent by key | `put NAME`; the outside drops a key that it has |
//! | `place` | reconciled by the ledger | `place-begin NAME`, then `place NAME` |
//! | `fire` | nobody can find out; a person is asked | `fire NAME` |
//! | `seal` | as `fire`, and nobody is asked: its run is held until it is settled from outside | `seal NAME` |
//! | `launch` | as `fire`, but supervised: it goes on without the process | `launch-begin EXECUTION`, then `launch NAME` |
//!
//! The input is `{ name, hold?, background? }`. With `hold` a call acts and then waits until it is told to stop. With
//! `background` a `launch` is a job, which ends when it is followed. A name that starts with `missing` is not found: the
//! call fails without any effect.

mod kind;
mod supervised;
mod tool;

pub use tool::{LedgerTool, ledger_tools};
