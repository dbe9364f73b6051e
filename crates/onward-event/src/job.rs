//! Jobs: commands that outlive the call, and the turn, that began them (seed, section 8).
//!
//! A job begins with `job/started`, in the same append as the answer of its call, and runs from then on. Each change
//! after that is a `job/phase`. A process handle is in no event: whoever owns the session finds the execution again by
//! the handle of the call's `tool/start`.

use crate::prelude::*;
use crate::{ArtifactId, CallId, JobId, MessageId, ResultStatus};

/// `job/started`: the call's command goes on in the background; same append as the `tool/result` that says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobStarted {
    /// The job. A call has at most one, so the job's id has the bits of the call's ([`JobId::of`]).
    pub job: JobId,
    /// The call that began it.
    pub call: CallId,
    /// The execution's name, as in the handle of the call's start.
    pub name: String,
    /// The command, shortened: for lists.
    pub command: String,
}

/// Where a job stands after it was started. Until the first such record it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// It runs.
    Running,
    /// Nobody can tell by machine what became of it; somebody must find out. Not an end.
    Reconciling,
    /// Its command came to its end, whatever its exit code.
    Completed,
    /// It was ended by its time limit, or could not be executed.
    Failed,
    /// It was told to stop, and the whole tree of its processes is known to be gone.
    Cancelled,
    /// It was cut off, and has no result.
    Interrupted,
}

impl JobState {
    /// Whether nothing follows it.
    pub fn is_end(self) -> bool {
        !matches!(self, Self::Running | Self::Reconciling)
    }

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Reconciling => "reconciling",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
        }
    }
}

/// How a job's command came to its end. What is recorded is the [`JobState`] that follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobEnd {
    /// By itself, whatever its exit code.
    Completed,
    /// Its time was over; nothing of it is left.
    TimedOut,
    /// It could not be executed.
    NotExecuted,
    /// It was told to stop, and nothing of it is left.
    Stopped,
}

/// Why a job came into its phase, where the phase alone does not say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobReason {
    /// Its supervisor is gone and has left no result, or it ran elsewhere.
    OutcomeUnknown,
    /// It took too long.
    TimedOut,
    /// It could not be executed.
    ExecutorError,
    /// Somebody asked for it.
    Requested,
    /// Somebody said what became of it (`reconciliation/resolved`).
    Settled,
}

/// `job/phase`: a job has come into another phase. An end stands in one append with the `inbox/received` that tells the
/// job's owner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobPhase {
    /// The job.
    pub job: JobId,
    /// Where it stands now.
    pub phase: JobState,
    /// Why, where the phase alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<JobReason>,
    /// How its command ended, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ResultStatus>,
    /// What is known, in a line.
    pub summary: String,
    /// How long it ran, in milliseconds, when that is known.
    #[serde(default, skip_serializing_if = "crate::prelude::is_zero")]
    pub millis: u64,
    /// Bytes of its output.
    #[serde(default, skip_serializing_if = "crate::prelude::is_zero")]
    pub bytes: u64,
    /// Where its output is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
}

/// `job/cancel_requested`: a client asks that a job be stopped. It is cancelled once its processes are gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobCancelRequested {
    /// The job.
    pub job: JobId,
}

/// `tool/background_requested`: a client asks that a call be answered with a job, while its command runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundRequested {
    /// The call.
    pub call: CallId,
}

impl JobId {
    /// The job of a call, if it becomes one.
    pub const fn of(call: CallId) -> Self {
        Self::from_bits(call.bits())
    }

    /// The call that the job would be of.
    pub const fn call(self) -> CallId {
        CallId::from_bits(self.bits())
    }

    /// The message that tells the owner of the job's end. It is derived, so that the end can be told only once.
    pub const fn notice(self) -> MessageId {
        MessageId::from_bits(self.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn a_job_its_call_and_its_notice_name_each_other() {
        let call = CallId::from_bits(77);
        let job = JobId::of(call);
        assert_eq!(job.call(), call);
        assert_eq!(job.notice().bits(), job.bits());
        assert!(job.to_string().starts_with("job_"));
    }

    #[test]
    fn what_does_not_end_a_job_is_named() {
        let going = [JobState::Running, JobState::Reconciling];
        assert!(going.iter().all(|state| !state.is_end()));
        let ends = [JobState::Completed, JobState::Failed, JobState::Cancelled, JobState::Interrupted];
        assert!(ends.iter().all(|state| state.is_end()));
    }
}
