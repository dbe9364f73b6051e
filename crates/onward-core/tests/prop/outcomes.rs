//! Outcomes of effects: as the world might give them, and as only a good one does.

use onward_core::{
    Action, AttemptReport, Authorisation, Authorised, Call, CallPhase, Effect, Input, JobReport,
    PrepareFailure, Prepared, Ran, Reconciled, Reply, Session, Supervised,
};
use onward_event::{
    ArtifactId, AttemptId, Basis, CallId, ContextDigest, Digest, DocumentLoaded, ErrorClass, FileAccess,
    FileState, FinishReason, JobEnd, JobId, NetworkAccess, Place, Risk, Sandbox, StepId, StopReason, Tier,
    ToolStart, Usage, Verdict,
};

use crate::dice::Dice;
use crate::values::{good_report, proposed, report, request_digest, semantics, text, usage};

/// What an outcome may know.
pub(crate) struct World<'a> {
    pub(crate) session: &'a Session,
    /// The revision of the rules.
    pub(crate) policy: u64,
    /// An id that was never used.
    pub(crate) fresh: u128,
}

impl World<'_> {
    /// Any outcome of this effect.
    pub(crate) fn outcome(&self, effect: &Effect, dice: &mut Dice) -> Input {
        match effect.key.action {
            Action::Prepare(step) => self.prepare(step, dice),
            Action::Ask(attempt) => {
                Input::AttemptEnded { attempt, report: attempt_report(effect.stop, dice) }
            }
            Action::Salvage(attempt) => salvaged(attempt, usage(dice)),
            Action::Authorise(call) => self.authorise(call, dice),
            Action::Run(call) => self.run(call, effect.stop, dice),
            Action::Reconcile(call) | Action::Attach(call) => {
                Input::Reconciled { call, reconciled: self.reconciled(call, dice) }
            }
            Action::Detach(call) => Input::Reconciled { call, reconciled: self.detached(call, dice) },
            Action::WatchJob(job) => Input::JobEnded { job, report: self.job_report(job, effect.stop, dice) },
            Action::Sleep { .. } => Input::Advance,
        }
    }

    /// The outcome that leads to an end.
    pub(crate) fn good_outcome(&self, effect: &Effect) -> Input {
        match effect.key.action {
            Action::Prepare(step) => Input::Prepared(self.prepared(step, false)),
            Action::Ask(attempt) => {
                let (content, usage) = (text("done"), Usage::default());
                let reply = Reply { finish: FinishReason::Stop, content, calls: Vec::new(), usage };
                Input::AttemptEnded { attempt, report: AttemptReport::Replied(reply) }
            }
            Action::Salvage(attempt) => salvaged(attempt, Usage::default()),
            Action::Authorise(call) => {
                let judged = self.judged(call, Verdict::Allow);
                Input::Authorised { call, authorised: Authorised::Judged(Box::new(judged)) }
            }
            Action::Run(call) => {
                let ran = if self.is_background(call) {
                    Ran::InBackground { command: command() }
                } else {
                    Ran::Finished(good_report())
                };
                Input::Ran { call, run: self.runs(call), ran }
            }
            Action::Detach(call) => {
                let (evidence, command) = ("its gate is open".into(), command());
                Input::Reconciled { call, reconciled: Reconciled::InBackground { evidence, command } }
            }
            Action::WatchJob(job) => {
                let (how, summary, report) = (JobEnd::Completed, "exit code 0".into(), good_report());
                Input::JobEnded { job, report: JobReport::Ended { how, summary, report } }
            }
            Action::Reconcile(call) | Action::Attach(call) => {
                let reconciled =
                    Reconciled::Applied { evidence: "there it is".into(), report: good_report() };
                Input::Reconciled { call, reconciled }
            }
            Action::Sleep { .. } => Input::Advance,
        }
    }

    fn prepare(&self, step: StepId, dice: &mut Dice) -> Input {
        if dice.once_in(12) {
            let (stop, detail) = (StopReason::ContextCannotFit, "too large".into());
            return Input::PrepareFailed(PrepareFailure { step, stop, detail });
        }
        let mut prepared = self.prepared(step, dice.once_in(4));
        if dice.once_in(10) {
            prepared.basis.history += 1;
        }
        Input::Prepared(prepared)
    }

    fn prepared(&self, step: StepId, with_document: bool) -> Prepared {
        let document = DocumentLoaded { path: "AGENTS.md".into(), hash: Digest([3; 32]), size: 4, cut: 0 };
        Prepared {
            step,
            basis: self.session.prepare_basis(),
            digest: request_digest(self.session),
            head: Digest([1; 32]),
            encoder: "test/1".into(),
            context: ContextDigest { tokens: 10, limit: 900, items: Vec::new(), dropped: Vec::new() },
            documents: with_document.then_some(document).into_iter().collect(),
        }
    }

    fn authorise(&self, call: CallId, dice: &mut Dice) -> Input {
        let verdict = match dice.roll(12) {
            // A plan that fails says so with an error.
            0 => return Input::Authorised { call, authorised: Authorised::Fault(fault()) },
            1 => Verdict::Deny,
            2..=5 => Verdict::Ask,
            _ => Verdict::Allow,
        };
        let mut judged = self.judged(call, verdict);
        bind(&mut judged, dice);
        if dice.once_in(10) {
            judged.basis.config += 1;
        }
        Input::Authorised { call, authorised: Authorised::Judged(Box::new(judged)) }
    }

    fn judged(&self, call: CallId, verdict: Verdict) -> Authorisation {
        let name = self.session.call(call).map_or("", |call| call.proposal.name.as_str());
        Authorisation {
            basis: Basis { policy: self.policy, config: self.session.config_revision() },
            verdict,
            rules: vec!["a-rule".into()],
            risk: Risk::Write,
            reason: "a rule says so".into(),
            by_mode: false,
            resources: vec!["thing".into()],
            files: Vec::new(),
            rules_digest: None,
            definition: None,
            always: None,
            sandbox: None,
            rendered: None,
            preview: "what would happen".into(),
            semantics: semantics(name),
            supervised: (name == "fire").then(|| Supervised {
                place: Place { machine: "m".into(), boot: "b".into() },
                background: call.bits().is_multiple_of(3),
            }),
        }
    }

    fn run(&self, call: CallId, stop: bool, dice: &mut Dice) -> Input {
        let artifact = dice.once_in(5).then(|| ArtifactId::from_bits(self.fresh));
        let ran = match (dice.roll(8), stop) {
            (0, _) => Ran::Unknown { content: "nobody knows".into() },
            (1..=3, true) => Ran::Cancelled { content: "stopped".into() },
            (4, true) => Ran::NotBegun,
            (5, true) => Ran::NotStopped { seconds: 10 },
            (5..=7, _) if self.is_background(call) => Ran::InBackground { command: command() },
            _ => Ran::Finished(report(dice, call, artifact)),
        };
        let run = self.runs(call) + u32::from(dice.once_in(15));
        Input::Ran { call, run, ran }
    }

    fn is_background(&self, call: CallId) -> bool {
        self.session.call(call).and_then(Call::start).is_some_and(ToolStart::is_background)
    }

    fn detached(&self, call: CallId, dice: &mut Dice) -> Reconciled {
        if dice.once_in(3) {
            return self.reconciled(call, dice);
        }
        Reconciled::InBackground { evidence: "its gate is open".into(), command: command() }
    }

    fn job_report(&self, job: JobId, stop: bool, dice: &mut Dice) -> JobReport {
        let how = match (dice.roll(6), stop) {
            (0, _) => return JobReport::Unknown { evidence: "its supervisor was killed".into() },
            (1..=3, true) => JobEnd::Stopped,
            (1, _) => JobEnd::TimedOut,
            (2, _) => JobEnd::NotExecuted,
            _ => JobEnd::Completed,
        };
        let artifact = dice.once_in(2).then(|| ArtifactId::from_bits(self.fresh));
        JobReport::Ended { how, summary: "it ended".into(), report: report(dice, job.call(), artifact) }
    }

    fn runs(&self, call: CallId) -> u32 {
        let phase = self.session.call(call).map(|call| &call.phase);
        match phase {
            Some(CallPhase::Started { start, .. }) => start.run,
            _ => 1,
        }
    }

    fn reconciled(&self, call: CallId, dice: &mut Dice) -> Reconciled {
        let evidence = "looked".to_owned();
        match dice.roll(5) {
            0 => Reconciled::Unknown { evidence },
            1 | 2 => Reconciled::NotApplied { evidence },
            _ => Reconciled::Applied { evidence, report: report(dice, call, None) },
        }
    }
}

/// What an approval is bound to; few values, so that the same ones come again.
fn bind(judged: &mut Authorisation, dice: &mut Dice) {
    if dice.once_in(2) {
        let digest = dice.once_in(2).then(|| Digest([dice.roll(2) as u8; 32]));
        judged.files = vec![FileState { path: "/w/thing".into(), digest }];
    }
    judged.definition = dice.once_in(2).then(|| Digest([dice.roll(2) as u8; 32]));
    judged.rules_digest = dice.once_in(2).then(|| Digest([dice.roll(2) as u8; 32]));
    judged.sandbox = dice.once_in(2).then(|| Sandbox {
        tier: Tier::Namespaces,
        files: FileAccess::WorkspaceWrite,
        network: if dice.once_in(3) { NetworkAccess::Open } else { NetworkAccess::Closed },
        writable: Vec::new(),
    });
}

fn salvaged(attempt: AttemptId, usage: Usage) -> Input {
    Input::AttemptEnded { attempt, report: AttemptReport::Interrupted { usage, partial: "cut".into() } }
}

fn command() -> String {
    "a command".into()
}

fn fault() -> onward_core::Report {
    let (code, message) = ("not_found".into(), "there is no such thing".into());
    onward_core::Report { status: onward_event::ResultStatus::Error { code, message }, ..good_report() }
}

fn attempt_report(stop: bool, dice: &mut Dice) -> AttemptReport {
    let usage = usage(dice);
    if stop && !dice.once_in(3) {
        return AttemptReport::Aborted { usage, partial: "stopped".into() };
    }
    if dice.once_in(6) {
        let classes =
            [ErrorClass::RateLimited, ErrorClass::Network, ErrorClass::Auth, ErrorClass::ContextOverflow];
        return AttemptReport::Failed {
            class: classes[dice.roll(4) as usize],
            message: "it failed".into(),
            retry_after_millis: dice.once_in(2).then(|| dice.roll(30)),
            usage,
            partial: String::new(),
        };
    }
    let mut calls: Vec<_> = (0..dice.roll(4)).map(|_| proposed(dice)).collect();
    let finish = match (dice.roll(10), calls.is_empty()) {
        (0, _) => FinishReason::Length,
        (1, _) => FinishReason::ToolCalls,
        (_, true) => FinishReason::Stop,
        (_, false) => FinishReason::ToolCalls,
    };
    if let Some(call) = calls.first_mut()
        && dice.once_in(12)
    {
        call.input = None;
    }
    AttemptReport::Replied(Reply { finish, content: text("words"), calls, usage })
}
