//! Supervised execution: a command that outlives the runtime, and is found again by whoever owns the session next.

use std::time::Duration;

use onward_event::{FileAccess, NetworkAccess, Place, Sandbox, Tier};

use crate::{BoxFuture, Cancel, Reach};

/// A command to run under supervision.
#[derive(Clone, Debug)]
pub struct ExecutionSpec {
    /// The program and its arguments; no shell is added.
    pub argv: Vec<String>,
    /// The whole environment.
    pub environment: Vec<(String, String)>,
    /// Where; absolute.
    pub dir: String,
    /// How it is contained: as recorded in the call's `tool/start`. A containment that cannot be had begins nothing.
    pub sandbox: Sandbox,
    /// The folder that it may change, if it may change any; absolute.
    pub workspace: String,
    /// For how long at most; the whole process tree is ended then.
    pub timeout: Duration,
    /// How long processes have between the request to end and being killed.
    pub grace: Duration,
    /// Bytes of output that are kept; beyond them, the last `tail_bytes`.
    pub kept_bytes: u64,
    /// Bytes of the end of a longer output that are kept.
    pub tail_bytes: u64,
}

/// How an executor contains commands on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Containment {
    /// By what.
    pub tier: Tier,
    /// Whether commands may reach the network at all.
    pub network: NetworkAccess,
    /// Folders beside the workspace that commands may change; absolute.
    pub writable: Vec<String>,
}

impl Containment {
    /// The containment of a command that policy grants this reach: never more than what is offered here.
    pub fn within(&self, reach: Reach) -> Sandbox {
        let network = reach.network.min(self.network);
        // What may change nothing has no use for folders that it may change.
        let writes = reach.files == FileAccess::WorkspaceWrite;
        let writable = if writes { self.writable.clone() } else { Vec::new() };
        Sandbox { tier: self.tier, files: reach.files, network, writable }
    }
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
    /// What it changed and was not to change, and was put back: a line for each.
    pub restored: Vec<String>,
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

/// Whether an execution began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It runs, or has ended since; [`Executor::attach`] waits for its end.
    Yes,
    /// It did not, and never will: that is certain.
    No(String),
    /// Nobody can know.
    Unknown(String),
}

/// A part of what an execution has said so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// The part.
    pub bytes: Vec<u8>,
    /// Bytes that are kept so far. What came beyond the limit of what is kept is not among them.
    pub kept: u64,
}

/// Runs commands under supervisors. An execution has a name, unique for ever, which is recorded before it begins.
pub trait Executor: Send + Sync + std::fmt::Debug {
    /// Where executions of this process run: recorded with their name, because elsewhere they cannot be found.
    fn place(&self) -> Place;

    /// How commands are contained here.
    ///
    /// # Errors
    /// Why they cannot be, and what to do: then nothing runs.
    fn containment(&self) -> Result<Containment, String>;

    /// Makes the place of an execution, before its name is recorded: a name that is recorded and has no place was taken
    /// away, and nobody can know what became of it.
    fn reserve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, Result<(), String>>;

    /// Begins the execution and waits for its end. When told to cancel, it stops the whole tree and waits for that.
    /// Dropping the future leaves the command running.
    fn run<'a>(
        &'a self,
        name: &'a str,
        spec: ExecutionSpec,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution>;

    /// Begins the execution and returns as soon as it runs, or is known not to.
    fn begin<'a>(&'a self, name: &'a str, spec: ExecutionSpec) -> BoxFuture<'a, Begun>;

    /// Finds out whether an execution began, and makes sure that it never does if it has not. Does not wait for its end.
    fn find<'a>(&'a self, name: &'a str, place: &'a Place) -> BoxFuture<'a, Begun>;

    /// Reads what an execution has said so far, up to `limit` bytes from `offset` on.
    ///
    /// # Errors
    /// Why it cannot be read: it was forgotten, or is on another machine.
    fn output<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        offset: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Output, String>>;

    /// Finds an execution that an earlier process was about to begin, or began: makes sure that it never begins, or
    /// waits for its end.
    fn attach<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution>;

    /// Waits for the end of an execution that is known to have begun.
    fn follow<'a>(
        &'a self,
        name: &'a str,
        place: &'a Place,
        cancel: &'a dyn Cancel,
    ) -> BoxFuture<'a, Execution>;

    /// Whether [`Executor::follow`] has nothing to wait for: it has ended, or nobody can know. A quick look.
    fn is_over(&self, name: &str, place: &Place) -> bool;

    /// Why the result of an execution cannot be had although its command has ended; none when there is no such reason. It
    /// is a quick look, for people: the result comes by itself when the reason has passed.
    fn stuck(&self, name: &str) -> Option<String>;

    /// Forgets an execution whose result is on disk in the log.
    fn forget<'a>(&'a self, name: &'a str) -> BoxFuture<'a, ()>;

    /// The names of all executions that are not forgotten and start with `prefix`.
    fn known<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Vec<String>>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_gets_what_both_grant_and_nothing_that_it_has_no_use_for() {
        let closed = NetworkAccess::Closed;
        let offered =
            Containment { tier: Tier::Landlock, network: closed, writable: vec!["/srv/cache".to_owned()] };
        let wide = Reach { files: FileAccess::WorkspaceWrite, network: NetworkAccess::Open };
        let writes = offered.within(wide);
        assert_eq!((writes.tier, writes.network), (Tier::Landlock, closed));
        assert_eq!(writes.writable, ["/srv/cache"]);
        let looks = offered.within(Reach { files: FileAccess::ReadOnly, ..wide });
        assert_eq!((looks.files, looks.writable), (FileAccess::ReadOnly, Vec::new()));
    }
}
