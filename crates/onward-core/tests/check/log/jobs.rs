//! Jobs.

use onward_event::*;

use super::Log;
use super::calls::result;
use crate::values::*;

impl Log {
    /// A command starts under its supervisor, to be answered with a job.
    pub(crate) fn start_background(self, n: u128, run: u32) -> Self {
        self.start_under_supervisor(n, run, true)
    }

    /// A command starts under its supervisor.
    pub(crate) fn start_supervised(self, n: u128, run: u32) -> Self {
        self.start_under_supervisor(n, run, false)
    }

    fn start_under_supervisor(self, n: u128, run: u32, background: bool) -> Self {
        let handle = Handle::Supervised {
            name: execution(n, run),
            place: Place { machine: "m".into(), boot: "b".into() },
            background,
        };
        let start =
            ToolStart { call: call(n), run, semantics: shell(), handle, sandbox: None, rendered: None };
        let events = vec![self.decided(n, Verdict::Allow, None), start.into()];
        self.owner(events)
    }

    /// It has begun, and its call is answered.
    pub(crate) fn job(self, n: u128) -> Self {
        self.owner(vec![job_started(n), result(n, ResultStatus::Ok)])
    }

    /// A later owner finds that it has begun.
    pub(crate) fn job_found(self, n: u128) -> Self {
        let (verdict, evidence) = (ReconcileVerdict::Applied, "its gate".into());
        let found = ToolReconciled { call: call(n), verdict, evidence };
        self.owner(vec![found.into(), job_started(n), result(n, ResultStatus::Ok)])
    }

    pub(crate) fn job_ends(self, n: u128, phase: JobState) -> Self {
        let wakeup = phase != JobState::Cancelled;
        self.owner(vec![job_phase(n, phase, None, None), told(n, wakeup)])
    }

    pub(crate) fn job_ends_with_artifact(self, n: u128, id: u128) -> Self {
        let stored = stored(n, id);
        let phase = job_phase(n, JobState::Completed, None, Some(artifact(id)));
        self.owner(vec![stored, phase, told(n, true)])
    }

    pub(crate) fn job_unknown(self, n: u128) -> Self {
        let reason = Some(JobReason::OutcomeUnknown);
        let notice = NoticeAdded { text: "who knows".into(), reason: NoticeReason::JobUnknown, cause: None };
        self.owner(vec![job_phase(n, JobState::Reconciling, reason, None), notice.into()])
    }

    pub(crate) fn job_settled(self, n: u128) -> Self {
        let phase = job_phase(n, JobState::Interrupted, Some(JobReason::Settled), None);
        self.owner(vec![phase, told(n, true)])
    }

    pub(crate) fn cancel_job(self, n: u128) -> Self {
        self.client(JobCancelRequested { job: JobId::of(call(n)) }.into())
    }

    pub(crate) fn send_to_background(self, n: u128) -> Self {
        self.client(BackgroundRequested { call: call(n) }.into())
    }
}

fn execution(n: u128, run: u32) -> String {
    format!("execution {n}.{run}")
}

fn job_started(n: u128) -> Event {
    let call = call(n);
    JobStarted { job: JobId::of(call), call, name: execution(n, 1), command: "make".into() }.into()
}

pub(crate) fn job_phase(
    n: u128,
    phase: JobState,
    reason: Option<JobReason>,
    artifact: Option<ArtifactId>,
) -> Event {
    let (job, summary) = (JobId::of(call(n)), "it ended".into());
    JobPhase { job, phase, reason, status: None, summary, millis: 0, bytes: 0, artifact }.into()
}

/// What the owner of the n-th call's job is told, under the id that the job gives it.
fn told(n: u128, wakeup: bool) -> Event {
    let message = InboxMessage {
        id: JobId::of(call(n)).notice(),
        content: vec![Part::text("it ended")],
        target: Target::NextStep,
        wakeup,
        origin: Origin::Job,
    };
    InboxReceived { message }.into()
}

fn stored(n: u128, id: u128) -> Event {
    ArtifactStored {
        artifact: artifact(id),
        call: call(n),
        hash: head(),
        media_type: "text/plain".into(),
        size: 9,
        summary: "what it said".into(),
    }
    .into()
}
