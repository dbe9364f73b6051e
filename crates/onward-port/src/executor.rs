//! Supervised execution: a command that outlives the runtime, and is found again by whoever owns the session next.

use std::time::Duration;

use onward_event::Place;

use crate::{BoxFuture, Cancel};

/// A command to run under supervision.
#[derive(Clone, Debug)]
pub struct ExecutionSpec {
    /// The program and its arguments; no shell is added.
    pub argv: Vec<String>,
    /// The whole environment.
    pub environment: Vec<(String, String)>,
    /// Where; absolute.
    pub dir: String,
    /// For how long at most; the whole process tree is ended then.
    pub timeout: Duration,
    /// How long processes have between the request to end and being killed.
    pub grace: Duration,
    /// Bytes of output that are kept; beyond them, the last `tail_bytes`.
    pub kept_bytes: u64,
    /// Bytes of the end of a longer output that are kept.
    pub tail_bytes: u64,
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExecutionEnd {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Signalled(i32),
    /// Its time was over; the whole tree was ended.
    TimedOut,
    /// It was told to stop; the whole tree was ended.
    Stopped,
}

/// A command that has ended as a whole: no process of its tree is left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionResult {
    /// How.
    pub end: ExecutionEnd,
    /// How long it ran.
    pub millis: u64,
    /// Bytes of output.
    pub total: u64,
    /// The beginning of the output, all of it when it is no longer than what is kept.
    pub kept: Vec<u8>,
    /// The end of the output, when it is longer.
    pub tail: Vec<u8>,
    /// Whether it left processes in the background, which were ended.
    pub left_behind: bool,
}

/// How an execution stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Execution {
    /// It has ended.
    Ended(ExecutionResult),
    /// It was never begun, and never will be: that is certain.
    NotBegun(String),
    /// Nobody can know: its supervisor is gone and has left no result, or it is on another machine.
    Unknown(String),
}

/// Runs commands under supervisors. An execution has a name, unique for ever, which is recorded before it begins.
pub trait Executor: Send + Sync + std::fmt::Debug {
    /// Where executions of this process run: recorded with their name, because elsewhere they cannot be found.
    fn place(&self) -> Place;

    /// Begins the execution and waits for its end. When told to cancel, it stops the whole tree and waits for that.
    /// Dropping the future leaves the command running.
    fn run<'a>(
        &'a self,
        name: &'a str,
        spec: ExecutionSpec,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution>;

    /// Finds an execution that an earlier process was about to begin, or began: makes sure that it never begins, or
    /// waits for its end.
    fn attach<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution>;

    /// Forgets an execution whose result is on disk in the log.
    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, ()>;

    /// The names of all executions that are not forgotten and start with `prefix`.
    fn known<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Vec<String>>;
}
