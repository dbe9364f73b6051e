//! The pure heart of `onward`.
//!
//! - [`Session`] is a fold of a session's log: [`Session::apply`] takes one record after the other.
//! - [`Session::due`] lists what the state calls for. The list is a function of the log alone, so a process that
//!   starts after a crash does what the old one would have done.
//! - [`decide`] turns an input (an outcome of an effect, or [`Input::Advance`]) into the events to record.
//! - [`Draft`] puts those together for one append: decide, apply, and go on as long as something follows by itself.
//! - [`recovery_plan`] says what a new owner would do, without doing it.
//! - [`check`] verifies the invariants on any log, independently of the fold.
//!
//! Nothing here does I/O, knows a clock, or draws a random number: the same log and the same input give the same
//! events. The crate is `no_std`, so that the compiler forbids it.
#![no_std]

extern crate alloc;

pub mod check;
mod decide;
mod effect;
mod illegal;
mod prelude;
mod recovery;
mod schedule;
mod session;
mod shared;
mod words;

pub use decide::{
    AttemptReport, Authorisation, Authorised, Ctx, Draft, DraftError, Input, JobReport, NewTurns,
    PrepareBasis, PrepareFailure, Prepared, ProposedCall, Ran, Reconciled, Refusal, Reply, Report,
    Supervised, decide,
};
pub use effect::{Action, Effect, EffectKey, Wait};
pub use illegal::IllegalEvent;
pub use recovery::{Item, Planned, Then, recovery_plan};
pub use session::{
    ASSEMBLER_VERSION, Answer, BadSnapshot, BegunCall, Call, CallPhase, Continuation, Ended, FOLD_VERSION,
    Grant, HistoryPiece, Job, Message, OpenApproval, Request, Run, Session, Settled, Step, StepPhase, Turn,
    UnknownCall,
};
