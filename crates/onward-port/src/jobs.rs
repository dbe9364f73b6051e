//! The session's jobs, as a running call sees them.

use onward_event::{ArtifactId, JobId, JobState, Place, Timestamp};

use crate::{BoxFuture, Cancel, ToolFault};

/// A job, as it stood at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobView {
    /// Its id.
    pub id: JobId,
    /// The command, shortened.
    pub command: String,
    /// Where it stands.
    pub phase: JobState,
    /// When it was started.
    pub started: Timestamp,
    /// When it came into its phase.
    pub since: Timestamp,
    /// What is known, in a line; empty while it runs.
    pub summary: String,
    /// Where its output is stored, once it has ended.
    pub artifact: Option<ArtifactId>,
    /// The execution's name.
    pub execution: String,
    /// Where it runs.
    pub place: Place,
}

/// What a call can do with the session's jobs: look, wait, and ask for an end.
pub trait Jobs: Send + Sync {
    /// Those that have not ended, and the latest of those that have, in the order in which they were started.
    fn list(&self) -> Vec<JobView>;

    /// Returns when the job is over, or the call is told to stop, with the job as it stands then; never for one that
    /// goes on. `None` when there is no such job.
    fn ended<'a>(&'a self, id: JobId, cancel: &'a dyn Cancel) -> BoxFuture<'a, Option<JobView>>;

    /// Asks for the end of a job. The wish is on disk when this returns; the end comes later.
    ///
    /// # Errors
    /// When it could not be recorded.
    fn cancel(&self, id: JobId) -> BoxFuture<'_, Result<(), ToolFault>>;

    /// Now, to tell ages.
    fn now(&self) -> Timestamp;
}
