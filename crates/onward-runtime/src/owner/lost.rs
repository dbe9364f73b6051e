//! Effects that never come back, and effects that must not begin.

use onward_core::{
    Action, AttemptReport, Authorised, CallPhase, Input, JobReport, PrepareFailure, Ran, Reconciled,
};
use onward_event::{CallId, ErrorClass, Recovery, Semantics, StopReason, Usage};
use onward_port::ToolFault;

use super::Owner;
use super::flight::Landed;
use crate::effects::{Outcome, Task, fault_report};

impl Owner {
    /// The outcome that an effect's landing gives; none when it is being found out.
    pub(super) fn land(&mut self, landed: Landed) -> Option<Outcome> {
        match landed {
            Landed::Outcome(outcome) => Some(*outcome),
            Landed::Dropped => None,
            Landed::Lost(key, action) => match self.find_out(action) {
                // What finds out can be lost too; then it is not asked again.
                Some((found_out_by, task)) => {
                    self.flight.start_instead(key, found_out_by, task);
                    None
                }
                None => Some(Outcome::input(self.lost(action))),
            },
        }
    }

    /// A task that panicked is a crash of that one effect, and is recovered in the same way.
    fn lost(&self, action: Action) -> Input {
        let detail = "the task was lost to a fault inside onward";
        match action {
            Action::Prepare(step) => Input::PrepareFailed(PrepareFailure {
                step,
                stop: StopReason::RuntimeError,
                detail: detail.into(),
            }),
            Action::Ask(attempt) => {
                let report = AttemptReport::Failed {
                    class: ErrorClass::Lost,
                    message: detail.into(),
                    retry_after_millis: None,
                    usage: Usage::default(),
                    partial: String::new(),
                };
                Input::AttemptEnded { attempt, report }
            }
            Action::Salvage(attempt) => {
                let report = AttemptReport::Interrupted { usage: Usage::default(), partial: String::new() };
                Input::AttemptEnded { attempt, report }
            }
            Action::Authorise(call) => {
                let authorised = Authorised::Fault(fault_report(ToolFault::new("internal", detail)));
                Input::Authorised { call, authorised }
            }
            Action::Run(call) => self.lost_run(call, detail),
            Action::WatchJob(job) => {
                Input::JobEnded { job, report: JobReport::Unknown { evidence: detail.into() } }
            }
            Action::Reconcile(call) | Action::Attach(call) | Action::Detach(call) => {
                Input::Reconciled { call, reconciled: Reconciled::Unknown { evidence: detail.into() } }
            }
            Action::Sleep { .. } => Input::Advance,
        }
    }

    fn lost_run(&self, call: CallId, detail: &str) -> Input {
        let start = self.session.call(call).and_then(|call| match &call.phase {
            CallPhase::Started { start, .. } => Some(start),
            _ => None,
        });
        let Some(start) = start else { return Input::Advance };
        let ran = match &start.semantics {
            Semantics::None(_) => Ran::Finished(fault_report(ToolFault::new("internal", detail))),
            Semantics::Possible(Recovery::Idempotent(_) | Recovery::Reconcile(_) | Recovery::Manual(_)) => {
                let content = format!("{detail}; whether it had its effect is not known.");
                Ran::Unknown { content }
            }
        };
        Input::Ran { call, run: start.run, ran }
    }

    /// A lost run of a call that can be found again or found out about: do that, instead of giving up.
    fn find_out(&self, action: Action) -> Option<(Action, Task)> {
        let Action::Run(id) = action else { return None };
        let CallPhase::Started { start, .. } = &self.session.call(id)?.phase else { return None };
        match &start.semantics {
            _ if start.is_background() => Some((Action::Detach(id), self.detach(id))),
            _ if start.is_supervised() => Some((Action::Attach(id), self.attach(id))),
            Semantics::Possible(Recovery::Reconcile(_)) => Some((Action::Reconcile(id), self.reconcile(id))),
            _ => None,
        }
    }
}
