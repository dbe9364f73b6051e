//! From an effect that is due to the task that performs it: everything it needs is copied out of the state here.

use std::sync::Arc;

use onward_core::{Action, AttemptReport, CallPhase, Effect, Input, Ran};
use onward_event::{ArtifactId, AttemptId, CallId, JobId, StepId, Timestamp, ToolStart, Usage};
use onward_port::{Tool, ToolIo};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Owner;
use crate::cancel::Token;
use crate::effects::{
    Ask, Attach, Authorise, Detach, Follow, Outcome, Prepare, Reconcile, Run, Stored, Task, salvage,
};
use crate::jobs::Desk;
use crate::request::{EncodedPrefix, EncodedRequest, load_head};

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

    fn ask(&mut self, attempt: AttemptId) -> Task {
        let Some(step) = self.session.step() else { return nothing() };
        let cancel = CancellationToken::new();
        let config = step.model.clone();
        let wanted = step.request;
        let model = self.ports.models.get(&config.provider).cloned();
        let kept =
            self.request.clone().filter(|kept| Some(kept.digest) == wanted.map(|request| request.digest));
        let mut ask = Ask {
            session: self.id,
            attempt,
            number: step.attempts,
            config: config.clone(),
            model: model.clone(),
            request: Err(String::new()),
            tools: self.tools.clone(),
            log: self.ports.log.clone(),
            live: self.live.clone(),
            redactor: self.ports.redactor.clone(),
            side_interval: self.config.side_interval,
            cancel: cancel.clone(),
        };
        // An earlier owner prepared it: make the same bytes again.
        let (blobs, history) = (self.ports.blobs.clone(), self.session.history());
        let history = if kept.is_none() { history.to_vec() } else { Vec::new() };
        let work = async move {
            ask.request = match (kept, wanted, &model) {
                (Some(kept), _, _) => Ok(kept),
                (None, Some(wanted), Some(model)) => match load_head(blobs.as_ref(), wanted.head).await {
                    Err(error) => Err(error.to_string()),
                    Ok(head) => {
                        let encoder = model.encoder();
                        let prefix = EncodedPrefix::of(encoder, &config, &head, wanted.head, &history);
                        same(prefix.finish(encoder), wanted.digest)
                    }
                },
                (None, _, _) => Err("the prepared request cannot be made again".into()),
            };
            ask.perform().await
        };
        Task { work: Box::pin(work), cancel }
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
        let Some(Started { tool, input, start }) = self.started(id) else { return nothing() };
        let cancel = CancellationToken::new();
        let (io, convergence) = (self.lend(id, &cancel), self.config.convergence);
        let redactor = self.ports.redactor.clone();
        let run = Run { call: id, tool, input, start, io, redactor, convergence, cancel: cancel.clone() };
        Task { work: Box::pin(run.perform()), cancel }
    }

    pub(super) fn attach(&self, id: CallId) -> Task {
        let Some(Started { tool, input, start }) = self.started(id) else { return nothing() };
        let cancel = CancellationToken::new();
        let (io, redactor) = (self.lend(id, &cancel), self.ports.redactor.clone());
        let attach = Attach { call: id, tool, input, start, io, redactor };
        Task { work: Box::pin(attach.perform()), cancel }
    }

    pub(super) fn detach(&self, id: CallId) -> Task {
        let Some(Started { tool, input, start }) = self.started(id) else { return nothing() };
        Task::new(Detach { call: id, tool, input, start }.perform())
    }

    fn follow(&self, id: JobId) -> Task {
        let Some(job) = self.session.job(id) else { return nothing() };
        let cancel = CancellationToken::new();
        let (tool, begun) = (self.tools.get(&job.begun.tool).cloned(), job.begun.clone());
        let (io, redactor) = (self.lend(job.call, &cancel), self.ports.redactor.clone());
        let follow = Follow { job: id, tool, begun, io, redactor };
        Task { work: Box::pin(follow.perform()), cancel }
    }

    pub(super) fn reconcile(&self, id: CallId) -> Task {
        let Some(Started { tool, input, start }) = self.started(id) else { return nothing() };
        let redactor = self.ports.redactor.clone();
        Task::new(Reconcile { call: id, tool, input, start, redactor }.perform())
    }

    /// A started call: its tool, its input, its start.
    fn started(&self, id: CallId) -> Option<Started> {
        let call = self.session.call(id)?;
        let CallPhase::Started { start, .. } = &call.phase else { return None };
        let tool = self.tools.get(&call.proposal.name).cloned();
        Some(Started { tool, input: call.proposal.input.clone(), start: start.clone() })
    }

    /// What a call is lent while it runs.
    fn lend(&self, call: CallId, cancel: &CancellationToken) -> ToolIo {
        let (known, blobs) = (self.session.share_artifacts(), self.ports.blobs.clone());
        let (log, clock) = (self.ports.log.clone(), self.ports.clock.clone());
        ToolIo {
            cancel: Arc::new(Token(cancel.clone())),
            artifact: ArtifactId::from_bits(self.ports.ids.next()),
            artifacts: Arc::new(Stored { known, blobs }),
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

/// A call that is started.
struct Started {
    /// Absent when the session has lost it since.
    tool: Option<Arc<dyn Tool>>,
    input: Value,
    start: ToolStart,
}

/// The effect is about something that has ended meanwhile: go on with the state as it is.
fn nothing() -> Task {
    Task::new(async { Outcome::input(Input::Advance) })
}

fn same(request: EncodedRequest, wanted: onward_event::Digest) -> Result<Arc<EncodedRequest>, String> {
    match request.digest == wanted {
        true => Ok(Arc::new(request)),
        false => Err(format!(
            "the prepared request {} cannot be made again: it would be {}",
            wanted.short(),
            request.digest.short()
        )),
    }
}
