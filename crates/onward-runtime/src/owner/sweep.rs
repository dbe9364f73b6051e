//! Forgetting executions: only when their results are on disk in the log, because until then their folders are the
//! only ones who know.

use onward_core::{CallPhase, Job, Session};
use onward_event::{CallId, Event, JobId};

use super::Owner;

impl Owner {
    /// Executions of calls that were answered, and of jobs that have ended, are forgotten with the next append that was synced: it put the answers
    /// on disk too.
    pub(super) async fn forget_answered(&mut self, events: &[Event], synced: bool) {
        let Some(executor) = self.ports.executor.clone() else { return };
        if synced {
            for call in std::mem::take(&mut self.answered) {
                for name in executor.known(&format!("{}.{call}.", self.id)).await {
                    executor.forget(&name).await;
                }
            }
        }
        let over = events.iter().filter_map(over).filter(|call| !is_open_job(&self.session, *call));
        self.answered.extend(over);
    }

    /// What earlier owners left behind: executions of this session whose calls are not open any more. Taking ownership
    /// has put everything before it on disk.
    pub(super) async fn sweep(&mut self) {
        let Some(executor) = self.ports.executor.clone() else { return };
        for name in executor.known(&format!("{}.", self.id)).await {
            let call = name.split('.').nth(1).and_then(|call| call.parse::<CallId>().ok());
            let started = |call| {
                matches!(self.session.call(call).map(|call| &call.phase), Some(CallPhase::Started { .. }))
            };
            if call.is_some_and(|call| !started(call) && !is_open_job(&self.session, call)) {
                executor.forget(&name).await;
            }
        }
    }
}

/// Whether the call goes on as a job: then its execution is needed until the job has ended.
fn is_open_job(session: &Session, call: CallId) -> bool {
    session.job(JobId::of(call)).is_some_and(Job::is_open)
}

/// The call whose answer, or whose job's end, this is.
fn over(event: &Event) -> Option<CallId> {
    match event {
        Event::ToolResult(result) => Some(result.call),
        Event::ToolCancelled(cancelled) => Some(cancelled.call),
        Event::ToolOutcomeUnknown(unknown) => Some(unknown.call),
        Event::JobPhase(phase) if phase.phase.is_end() => Some(phase.job.call()),
        _ => None,
    }
}
