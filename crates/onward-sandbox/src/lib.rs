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

mod enrolment;
mod executor;
mod folder;
mod place;
mod spec;
mod supervisor;

pub use executor::SupervisedExecutor;
pub use supervisor::supervise;
