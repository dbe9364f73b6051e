//! From an effect that is due to the task that performs it: everything it needs is copied out of the state here.

use std::sync::Arc;

use onward_core::{Action, AttemptReport, BegunCall, CallPhase, Effect, Input, Ran};
use onward_event::{ArtifactId, AttemptId, CallId, JobId, StepId, Timestamp, ToolStart, Usage};
use onward_port::ToolIo;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Owner;
use crate::cancel::Token;
use crate::effects::{Ask, Authorise, Outcome, Prepare, Source, StartedCall, StoredArtifacts, Task, salvage};
use crate::jobs::Desk;

impl Owner {
    pub(super) fn perform(&mut self, effect: &Effect) -> Task {
        match effect.key.action {
            Action::Prepare(step) => self.prepare(step),
            Action::Ask(attempt) => self.ask(attempt),
            Action::Salvage(attempt) => self.salvage(attempt),
            Action::Authorise(call) => self.authorise(call),
            Action::Run(call) => self.run(call),
            Action::Reconcile(call) => self.reconcile(call),
            Action::Attach(call) => self.attach(call),
            Action::Detach(call) => self.detach(call),
            Action::WatchJob(job) => self.follow(job),
            Action::Sleep { until, .. } => self.sleep(until),
        }
    }

    /// An effect of an interrupted turn that is not in flight: its outcome is that nothing was done. Finding out about
    /// the past is wanted whatever the future; an attached call is told to stop from the start.
    pub(super) fn refuse_to_begin(&mut self, effect: &Effect) -> Task {
        let input = match effect.key.action {
            Action::Ask(attempt) => {
                let report = AttemptReport::Aborted { usage: Usage::default(), partial: String::new() };
                Input::AttemptEnded { attempt, report }
            }
            Action::Run(call) => {
                let run = self.session.call(call).map_or(0, |call| call.runs);
                Input::Ran { call, run, ran: Ran::NotBegun }
            }
            _ => {
                let task = self.perform(effect);
                task.cancel.cancel();
                return task;
            }
        };
        Task::new(async move { Outcome::input(input) })
    }

    /// What an outcome brings along beside its input.
    pub(super) fn take_over(&mut self, outcome: &mut Outcome) {
        if let Some(request) = outcome.request.take() {
            self.request = Some(request);
        }
        if let Some(prefix) = outcome.prefix.take() {
            self.prefix = Some(prefix);
        }
    }

    fn prepare(&mut self, step: StepId) -> Task {
        let Some(open) = self.session.step() else { return nothing() };
        let config = open.model.clone();
        let prefix = self.prefix.take().filter(|prefix| prefix.config == config);
        // Documents stay the same within a turn; the first step of a turn looks again.
        let first = prefix.is_none() || self.session.turn().is_some_and(|turn| !turn.unread.is_empty());
        let have = match &prefix {
            Some(prefix) if !first => prefix.len(),
            _ => 0,
        };
        let mut messages = self.session.history().get(have..).unwrap_or_default().to_vec();
        messages.extend(self.session.additions());
        let prepare = Prepare {
            step,
            basis: self.session.prepare_basis(),
            model: self.ports.models.get(&config.provider).cloned(),
            config,
            prefix,
            reload: first,
            messages,
            shown: self.session.documents().clone(),
            documents: self.ports.documents.clone(),
            workspace: self.session.workspace().clone(),
            instructions: self.ports.instructions.clone(),
            tools: self.tools.clone(),
            redactor: self.ports.redactor.clone(),
        };
        Task::new(prepare.perform())
    }

    fn ask(&self, attempt: AttemptId) -> Task {
        let Some(step) = self.session.step() else { return nothing() };
        let source = match (step.request, &self.request) {
            (Some(wanted), Some(kept)) if kept.digest == wanted.digest => Source::Kept(kept.clone()),
            (Some(request), _) => {
                let (history, blobs) = (self.session.history().to_vec(), self.ports.blobs.clone());
                Source::Recorded { request, history, blobs }
            }
            (None, _) => Source::Missing,
        };
        Task::stoppable(|cancel| {
            let ask = Ask {
                session: self.id,
                attempt,
                number: step.attempts,
                config: step.model.clone(),
                model: self.ports.models.get(&step.model.provider).cloned(),
                source,
                tools: self.tools.clone(),
                log: self.ports.log.clone(),
                live: self.live.clone(),
                redactor: self.ports.redactor.clone(),
                side_interval: self.config.side_interval,
                cancel,
            };
            ask.perform()
        })
    }

    fn salvage(&self, attempt: AttemptId) -> Task {
        let Some(step) = self.session.step() else { return nothing() };
        let tokens = step.request.map_or(0, |request| request.tokens);
        Task::new(salvage(self.ports.log.clone(), self.id, attempt, step.model.clone(), tokens))
    }

    fn authorise(&self, id: CallId) -> Task {
        let Some(call) = self.session.call(id) else { return nothing() };
        let authorise = Authorise {
            call: id,
            name: call.proposal.name.clone(),
            tool: self.tools.get(&call.proposal.name).cloned(),
            input: call.proposal.input.clone(),
            mode: self.session.spec().mode,
            workspace: self.session.workspace().clone(),
            policy: self.ports.policy.clone(),
            redactor: self.ports.redactor.clone(),
            config: self.session.config_revision(),
            clock: self.ports.clock.clone(),
        };
        Task::new(authorise.perform())
    }

    fn run(&self, id: CallId) -> Task {
        let Some(call) = self.started(id) else { return nothing() };
        let convergence = self.config.convergence;
        Task::stoppable(|cancel| call.run(self.lend(id, &cancel), cancel, convergence))
    }

    pub(super) fn attach(&self, id: CallId) -> Task {
        let Some(call) = self.started(id) else { return nothing() };
        Task::stoppable(|cancel| call.attach(self.lend(id, &cancel)))
    }

    pub(super) fn detach(&self, id: CallId) -> Task {
        let Some(call) = self.started(id) else { return nothing() };
        Task::new(call.detach())
    }

    pub(super) fn reconcile(&self, id: CallId) -> Task {
        let Some(call) = self.started(id) else { return nothing() };
        Task::new(call.reconcile())
    }

    fn follow(&self, id: JobId) -> Task {
        let Some(job) = self.session.job(id) else { return nothing() };
        let BegunCall { tool, input, start } = &job.begun;
        let call = self.started_call(job.call, tool, input, start);
        Task::stoppable(|cancel| call.follow(id, self.lend(job.call, &cancel)))
    }

    /// A call that is started and has no answer.
    fn started(&self, id: CallId) -> Option<StartedCall> {
        let call = self.session.call(id)?;
        let CallPhase::Started { start, .. } = &call.phase else { return None };
        Some(self.started_call(id, &call.proposal.name, &call.proposal.input, start))
    }

    fn started_call(&self, call: CallId, tool: &str, input: &Value, start: &ToolStart) -> StartedCall {
        StartedCall {
            call,
            tool: self.tools.get(tool).cloned(),
            input: input.clone(),
            start: start.clone(),
            redactor: self.ports.redactor.clone(),
        }
    }

    /// What a call is lent while it runs.
    fn lend(&self, call: CallId, cancel: &CancellationToken) -> ToolIo {
        let (known, blobs) = (self.session.share_artifacts(), self.ports.blobs.clone());
        let (log, clock) = (self.ports.log.clone(), self.ports.clock.clone());
        ToolIo {
            cancel: Arc::new(Token(cancel.clone())),
            artifact: ArtifactId::from_bits(self.ports.ids.next()),
            artifacts: Arc::new(StoredArtifacts { known, blobs }),
            jobs: Arc::new(Desk::new(&self.board, self.id, call, log, clock)),
        }
    }

    fn sleep(&self, until: Timestamp) -> Task {
        let pause = std::time::Duration::from_millis(until.millis_since(self.ports.clock.now()));
        Task::new(async move {
            tokio::time::sleep(pause).await;
            Outcome::input(Input::Advance)
        })
    }
}

/// The effect is about something that has ended meanwhile: go on with the state as it is.
fn nothing() -> Task {
    Task::new(async { Outcome::input(Input::Advance) })
}
