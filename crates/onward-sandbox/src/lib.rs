//! Process execution that survives the runtime.
//!
//! A command runs under a small *supervisor*, a process of its own that the runtime starts and that lives on when the
//! runtime dies. It owns the command's whole process tree, its output, its time limit and its exit status, and
//! publishes each in the execution's folder. Whoever owns the session next *attaches*: it reads the same folder.
//!
//! ```text
//! NAME/            one execution, named in the log before it begins
//!   lock           held (flock) by the supervisor for as long as it lives
//!   supervisor     who supervises, and until when; renamed to supervisor.waits while its result finds no room
//!   gate           made once, by whoever is first: "started" by the supervisor, "revoked" by a new owner
//!   output         the command's output, as it comes, up to a limit
//!   tail           the end of a longer output
//!   stop           made by an owner: end the whole tree
//!   result         made last, by renaming: how it ended
//! ```
//!
//! | gate | lock | result | what is known |
//! |---|---|---|---|
//! | revoked | | | it never began |
//! | started | held | | it runs |
//! | started | held | none, long after the time limit | unknown: the supervisor does not answer |
//! | started | free | there | it ended, as the result says |
//! | started | free | none | unknown: the supervisor was killed |
//!
//! The supervisor ([`supervise`]) uses no async runtime and starts before one would. It is a *child subreaper*: a
//! process that leaves its parent, its group or its session is still its descendant, so ending the tree ends it too.
//!
//! # Containment
//!
//! A supervisor starts a command through a *launcher* ([`launch`]), a copy that it makes of itself, which gives up, for
//! good, what the command may not have, and then becomes the command or its process 1. Any step that fails means that
//! nothing is run.
//!
//! ```text
//! runtime ── prepare, run ──▶ supervisor ── order ──▶ launcher ─┬─ Landlock tier: becomes the command
//!    ▲                           │  ▲  one socket: order down,   └─ namespaces: makes process 1 ── the command
//!    └───────── folder ◀─────────┘  └─ reports up, its end ends process 1 ──────────┘
//! ```
//!
//! The two messages may be far apart: a supervisor is started and prepared while the command before runs. What it has set up by
//! then is what its containment alone decides, and that is looked at again, and thrown away if the world has changed
//! since, before it runs a command. One that is never told to run ends with its runtime, and leaves nothing. Such a
//! supervisor is a copy of a *fork server*, a process that waits for nothing else.
//!
//! What a person chose is a [`SandboxSetup`]; what the machine has, [`probe`] finds out by doing it; how one command is
//! contained was recorded before it starts and comes with its order. What each tier promises, and what it does not, is in
//! `docs/security.md`.

mod contained;
mod enrolment;
mod executor;
mod folder;
mod foreground;
mod frame;
mod launch;
mod place;
mod probe;
mod protect;
mod setup;
mod spec;
mod start;
mod supervisor;
mod sys;

pub use executor::SupervisedExecutor;
pub use foreground::{Foreground, run_in_foreground};
pub use launch::launch;
pub use probe::{Offer, Probe, probe};
pub use protect::{Reach, reach};
pub use setup::{
    Choice, DEFAULT_FILE_BYTES, DEFAULT_MEMORY_BYTES, DEFAULT_OPEN_FILES, DEFAULT_PROCESSES,
    DEFAULT_TEMPORARY_BYTES, Limits, PROTECTED, PROTECTED_AT_HOME, SECRETS_AT_HOME, SandboxSetup,
};
pub use start::LAUNCHER;
pub use supervisor::supervise;
