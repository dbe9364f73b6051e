//! Jobs: commands that go on when their call is answered.

use onward_event::{ArtifactId, CallId, JobId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::convert::Stamp;
use crate::tool::{CallError, split};
use crate::waiting::settle_answers;
use crate::{Cursor, JobPhase, JobReason, ResultStatus};

/// A call's command goes on as a job; the call is answered with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobStarted {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The job.
    pub job: JobId,
    /// The call that began it.
    pub call: CallId,
    /// The command, shortened.
    pub command: String,
}

/// A job has come into another phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobChanged {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The job.
    pub job: JobId,
    /// Where it stands now.
    pub phase: JobPhase,
    /// Why, where the phase alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<JobReason>,
    /// How its command ended, when it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<ResultStatus>,
    /// Present when it ended with an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<CallError>,
    /// What is known, in a line.
    pub text: String,
    /// How long it ran, in milliseconds; 0 when that is not known.
    pub millis: u64,
    /// Bytes of its output.
    pub bytes: u64,
    /// Where its output is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<ArtifactId>,
    /// Commands that settle it, while it is reconciled.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub settle: Vec<String>,
}

/// Somebody asks for the end of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct JobCancelRequested {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The job.
    pub job: JobId,
}

/// Somebody asks that a call be answered with a job, while its command goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BackgroundRequested {
    /// The record.
    pub cursor: Cursor,
    /// When, in milliseconds since 1970-01-01T00:00:00Z.
    pub at: u64,
    /// The call.
    pub call: CallId,
}

impl JobStarted {
    pub(crate) fn new((cursor, at): Stamp, started: &onward_event::JobStarted) -> Self {
        let onward_event::JobStarted { job, call, name: _, command } = started;
        Self { cursor, at, job: *job, call: *call, command: command.clone() }
    }
}

impl JobChanged {
    pub(crate) fn new((cursor, at): Stamp, changed: &onward_event::JobPhase) -> Self {
        let onward_event::JobPhase { job, phase, reason, status, summary, millis, bytes, artifact } = changed;
        let (status, error) = match status.as_ref().map(split) {
            Some((status, error)) => (Some(status), error),
            None => (None, None),
        };
        let (phase, reason) = ((*phase).into(), reason.map(Into::into));
        let (job, text, millis, bytes, artifact) = (*job, summary.clone(), *millis, *bytes, *artifact);
        let settle = if phase == JobPhase::Reconciling { settle_answers(job) } else { Vec::new() };
        Self { cursor, at, job, phase, reason, status, error, text, millis, bytes, artifact, settle }
    }
}

impl JobCancelRequested {
    pub(crate) fn new((cursor, at): Stamp, request: &onward_event::JobCancelRequested) -> Self {
        Self { cursor, at, job: request.job }
    }
}

impl BackgroundRequested {
    pub(crate) fn new((cursor, at): Stamp, request: &onward_event::BackgroundRequested) -> Self {
        Self { cursor, at, call: request.call }
    }
}
