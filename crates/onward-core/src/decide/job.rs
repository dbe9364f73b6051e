//! Jobs: begun with the answer of their call, ended with one message to their owner (seed, section 8).

use onward_event::{
    Event, Handle, InboxMessage, InboxReceived, JobEnd, JobId, JobPhase, JobReason, JobStarted, JobState,
    NoticeAdded, NoticeReason, Origin, Part, ResolvedVerdict, ResultMetadata, ResultStatus, Target,
    ToolResult,
};

use super::{JobReport, Refusal, Report};
use crate::prelude::*;
use crate::session::{Call, Job, Session};
use crate::words;

/// A call's command runs: it becomes a job, and the call is answered.
pub(super) fn started(call: &Call, command: &str) -> Result<Vec<Event>, Refusal> {
    let Some(Handle::Supervised { name, .. }) = call.start().map(|start| &start.handle) else {
        return Err(Refusal::NotOpen("a call without a supervisor"));
    };
    let id = call.proposal.call;
    let job = JobId::of(id);
    let text = words::job_started(job, call.to_background);
    let started = JobStarted { job, call: id, name: name.clone(), command: command.into() };
    let metadata = ResultMetadata { bytes: text.len() as u64, ..ResultMetadata::default() };
    let (status, content) = (ResultStatus::Ok, vec![Part::Text(text)]);
    let result = ToolResult { call: id, status, content, metadata, artifacts: Vec::new() };
    Ok(vec![started.into(), result.into()])
}

/// A job that runs has ended, or nobody can tell.
pub(super) fn ended(session: &Session, id: JobId, report: &JobReport) -> Result<Vec<Event>, Refusal> {
    let job = session.job(id).filter(|job| job.phase == JobState::Running);
    let job = job.ok_or(Refusal::NotOpen("the job"))?;
    Ok(match report {
        JobReport::Ended { how, summary, report } => finished(job, *how, summary, report),
        JobReport::Unknown { evidence } => unknown(job, evidence),
    })
}

/// Somebody has said what became of a job.
pub(super) fn settled(job: &Job) -> Vec<Event> {
    let Some(settled) = &job.settled else { return Vec::new() };
    let phase = match settled.verdict {
        ResolvedVerdict::Applied => JobState::Completed,
        ResolvedVerdict::NotApplied | ResolvedVerdict::GoOn => JobState::Interrupted,
    };
    let summary = words::job_settled(settled.verdict, &settled.evidence);
    end(job, JobPhase { reason: Some(JobReason::Settled), ..plain(job, phase, &summary) })
}

fn finished(job: &Job, how: JobEnd, summary: &str, report: &Report) -> Vec<Event> {
    let (phase, reason) = match how {
        // A command that ends with an error has ended: that is its result.
        JobEnd::Completed => (JobState::Completed, None),
        JobEnd::TimedOut => (JobState::Failed, Some(JobReason::TimedOut)),
        JobEnd::NotExecuted => (JobState::Failed, Some(JobReason::ExecutorError)),
        JobEnd::Stopped => (JobState::Cancelled, Some(JobReason::Requested)),
    };
    let phase = JobPhase {
        reason,
        status: Some(report.status.clone()),
        millis: report.metadata.millis,
        bytes: report.metadata.bytes,
        artifact: report.artifacts.first().map(|stored| stored.artifact),
        ..plain(job, phase, summary)
    };
    let stored = report.artifacts.iter().cloned().map(Event::from);
    stored.chain(end(job, phase)).collect()
}

/// Not an end: the model is told, and somebody has to find out.
fn unknown(job: &Job, evidence: &str) -> Vec<Event> {
    let phase =
        JobPhase { reason: Some(JobReason::OutcomeUnknown), ..plain(job, JobState::Reconciling, evidence) };
    let text = words::job_unknown(job, evidence);
    vec![phase.into(), NoticeAdded { text, reason: NoticeReason::JobUnknown, cause: None }.into()]
}

/// An end, with the one message that tells of it. Who asked for the end need not be woken by it.
fn end(job: &Job, phase: JobPhase) -> Vec<Event> {
    let message = InboxMessage {
        id: job.id.notice(),
        content: vec![Part::Text(words::job_ended(job, &phase))],
        target: Target::NextStep,
        wakeup: phase.phase != JobState::Cancelled,
        origin: Origin::Job,
    };
    vec![phase.into(), InboxReceived { message }.into()]
}

fn plain(job: &Job, phase: JobState, summary: &str) -> JobPhase {
    JobPhase {
        job: job.id,
        phase,
        reason: None,
        status: None,
        summary: summary.into(),
        millis: 0,
        bytes: 0,
        artifact: None,
    }
}
