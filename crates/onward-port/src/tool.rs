//! Tools: check the input, say what would happen, do it, and find out afterwards whether it happened (seed, sections
//! 2 and 3).

mod outcome;
mod plan;
mod set;

pub use outcome::{
    Attached, Detached, Followed, NewArtifact, Reconciliation, ToolFault, ToolOutcome, ToolReport,
};
pub use plan::{CheckedInput, PlannedCommand, PlannedEffects, Supervision, ToolPlan};
pub use set::ToolSet;

use std::sync::Arc;

use bytes::Bytes;
use onward_event::{ArtifactId, ToolDefinition, ToolStart};
use serde_json::Value;

use crate::{BoxFuture, Jobs};

/// One tool, bound to one session's workspace.
///
/// The order is always `check`, `plan`, `run`; `reconcile` only after a crash. `plan` changes nothing in the world.
pub trait Tool: Send + Sync {
    /// What the model is told.
    fn definition(&self) -> &ToolDefinition;

    /// Checks the model's input and brings it into canonical form.
    ///
    /// # Errors
    /// What is wrong with it, one sentence each, in words that help the model to do it right.
    fn check(&self, input: &Value) -> Result<CheckedInput, Vec<String>>;

    /// Finds out what the call would do.
    ///
    /// # Errors
    /// A fault that is already clear; the call is answered with it and never starts.
    fn plan<'a>(&'a self, input: &'a Value) -> BoxFuture<'a, Result<ToolPlan, ToolFault>>;

    /// Does it. `start` is on disk. Dropping the future leaves the outcome open; to stop it, use [`ToolIo::cancel`].
    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome>;

    /// Where this call would run under a supervisor, if it would: then it outlives the runtime, and a later process
    /// attaches to it.
    fn supervision(&self, input: &Value) -> Option<Supervision> {
        let _ = input;
        None
    }

    /// Attaches to a call that an earlier process started under a supervisor ([`onward_event::Handle::Supervised`]):
    /// waits for its end, or makes sure that it never begins.
    fn attach<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Attached> {
        let _ = (input, start, io);
        let evidence = "this tool has no supervisor any more".into();
        Box::pin(std::future::ready(Attached::Unknown { evidence }))
    }

    /// As [`Tool::attach`], and does not wait for the end: finds out whether the command of a call, which goes on in the
    /// background from here on, has begun.
    fn detach<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Detached> {
        let _ = (input, start);
        let evidence = "this tool has no supervisor any more".into();
        Box::pin(std::future::ready(Detached::Unknown { evidence }))
    }

    /// Waits for the end of a command that goes on as a job; it is known to have begun.
    fn follow<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, Followed> {
        let _ = (input, start, io);
        let evidence = "this tool has no supervisor any more".into();
        Box::pin(std::future::ready(Followed::Unknown { evidence }))
    }

    /// Finds out whether a call that an earlier process started had its effect. Called only when the semantics in
    /// `start` say [`onward_event::Recovery::Reconcile`].
    fn reconcile<'a>(&'a self, input: &'a Value, start: &'a ToolStart) -> BoxFuture<'a, Reconciliation> {
        let _ = (input, start);
        let evidence = "this tool has no way to find out".into();
        Box::pin(std::future::ready(Reconciliation::Unknown { evidence }))
    }
}

/// What the runtime lends to a running call.
#[derive(Clone)]
pub struct ToolIo {
    /// Tells it to stop.
    pub cancel: Arc<dyn Cancel>,
    /// The id to use if it stores its whole output.
    pub artifact: ArtifactId,
    /// Reads what earlier calls stored.
    pub artifacts: Arc<dyn ArtifactReader>,
    /// The session's jobs.
    pub jobs: Arc<dyn Jobs>,
}

/// Tells a running call to stop.
pub trait Cancel: Send + Sync {
    /// Whether it should stop.
    fn is_cancelled(&self) -> bool;
    /// Returns when it should stop.
    fn cancelled(&self) -> BoxFuture<'_, ()>;
}

/// Reads stored results of the same session.
pub trait ArtifactReader: Send + Sync {
    /// The content of an artifact.
    fn read(&self, id: ArtifactId) -> BoxFuture<'_, Result<Bytes, ToolFault>>;
}
