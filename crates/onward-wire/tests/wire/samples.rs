//! One record of every kind, and of every variant that gives another line; and one of every live line.

use onward_event::*;
use onward_wire::{
    Delta, Failure, Outcome, Session, Stop, Terminal, Usage as WireUsage, Wait, Waiting, WireEvent,
};

/// Records in the order of the vocabulary, numbered from 1.
pub(crate) fn records() -> Vec<Record> {
    let events =
        [session(), inbox(), work(), attempts(), calls(), approvals(), answers(), unknowns(), jobs()]
            .concat();
    let record = |(i, event): (usize, Event)| Record {
        seq: Seq(i as u64 + 1),
        at: Timestamp(1_764_500_000_000 + i as u64),
        epoch: Some(Epoch(1)),
        by: None,
        append: AppendId(format!("append-{i}")),
        event,
    };
    events.into_iter().enumerate().map(record).collect()
}

/// Lines that are made from no record.
pub(crate) fn live() -> Vec<WireEvent> {
    let (session, attempt) = (SessionId::from_bits(1), AttemptId::from_bits(6));
    let usage = WireUsage { input: 900, cached: 800, output: 40, cost_micros: 1_250, estimated: false };
    vec![
        WireEvent::Session(Session::new("0.1.0", session, "/srv/repo", &model(), Mode::Normal)),
        WireEvent::TextDelta(Delta { attempt, n: 0, text: "two\r\nlines\u{85}\u{2029}\u{c}".into() }),
        WireEvent::ReasoningDelta(Delta { attempt, n: 1, text: "hm".into() }),
        WireEvent::Waiting(Waiting {
            session,
            on: vec![
                Wait::approval(ApprovalId::from_bits(8), "cargo test, in /srv/repo"),
                Wait::reconciliation(CallId::from_bits(7), "the command may have run"),
                Wait::job_reconciliation(JobId::from_bits(9), "the tests may have ended"),
                Wait::job(JobId::from_bits(9), "cargo test"),
            ],
        }),
        WireEvent::Result(Outcome {
            session,
            terminal: Some(Terminal::Completed),
            stop: Some(Stop::Final),
            exit_code: 0,
            answer: "done".into(),
            usage,
            steps: 3,
            next: String::new(),
            resume: format!("onward resume {session}"),
        }),
        WireEvent::Error(Failure {
            session: None,
            kind: "config".into(),
            message: "no model is set".into(),
            hint: Some("set one with `--model`".into()),
            exit_code: 2,
        }),
    ]
}

fn model() -> ModelConfig {
    ModelConfig {
        provider: "openai".into(),
        model: "small".into(),
        context_window: 128_000,
        max_output: 8_192,
        temperature_milli: Some(200),
        reasoning_effort: None,
        price: None,
    }
}

fn usage() -> Usage {
    Usage { input: 900, cached: 800, output: 40, cost_micros: 1_250, source: UsageSource::Reported }
}

fn session() -> Vec<Event> {
    let spec = AgentSpec {
        model: model(),
        tools: vec!["read".into()],
        mode: Mode::Normal,
        limits: Limits::default(),
        jobs_at_end: JobsAtEnd::default(),
    };
    let workspace = Workspace { root: "/srv/repo".into(), dir: "/srv/repo".into() };
    let changes = [
        SettingChange::Mode(Mode::AcceptEdits),
        SettingChange::Model(model()),
        SettingChange::Limits(Limits::default()),
        SettingChange::JobsAtEnd(JobsAtEnd::Cancel),
    ];
    let mut events = vec![SessionCreated { session: SessionId::from_bits(1), spec, workspace }.into()];
    events.extend(changes.map(|change| SessionConfigured { change }.into()));
    events.extend([
        OwnerAcquired { epoch: Epoch(1), owner: "host 12".into() }.into(),
        OwnerReleased { epoch: Epoch(1) }.into(),
        InterruptRequested { turn: Some(TurnId::from_bits(4)) }.into(),
        InterruptRequested { turn: None }.into(),
        NoticeAdded { text: "go on".into(), reason: NoticeReason::Recovered, cause: Some(Seq(3)) }.into(),
        DocumentLoaded { path: "AGENTS.md".into(), hash: Digest([3; 32]), size: 120, cut: 7 }.into(),
        Event::Unknown(UnknownEvent {
            kind: "goal/created".into(),
            version: 1,
            body: serde_json::json!({"a": 1}),
        }),
    ]);
    events
}

fn inbox() -> Vec<Event> {
    let message = InboxMessage {
        id: MessageId::from_bits(2),
        content: vec![
            Part::text("fix "),
            Part::SecretRef("TOKEN".into()),
            Part::text("the tests\u{2028}now"),
        ],
        target: Target::NextTurn,
        wakeup: true,
        origin: Origin::User,
    };
    vec![
        InboxReceived { message }.into(),
        InboxCancelled { message: MessageId::from_bits(2), reason: InboxCancelReason::BySender }.into(),
    ]
}

fn work() -> Vec<Event> {
    let (turn, run, step) = (TurnId::from_bits(4), RunId::from_bits(3), StepId::from_bits(5));
    let start = |source| TurnStart { turn, run, trace: TraceId::from_bits(9), source };
    let message = MessageId::from_bits(2);
    vec![
        start(TurnSource::Messages(vec![message])).into(),
        start(TurnSource::Continuation(Seq(20))).into(),
        StepStart { step, turn, index: 1, claims: vec![message], config: 1 }.into(),
        StepEnd { step, terminal: StepTerminal::Tools }.into(),
        RecoveryContinuation { run, turn, blocked_on: vec![CallId::from_bits(7)], reclaims: vec![message] }
            .into(),
        TurnEnd {
            turn,
            terminal: TurnTerminal::Failed,
            stop: StopReason::MaxSteps,
            next: "the run used its 200 steps; `onward resume` goes on".into(),
            usage: usage(),
        }
        .into(),
    ]
}

fn attempts() -> Vec<Event> {
    let (attempt, step) = (AttemptId::from_bits(6), StepId::from_bits(5));
    let end =
        |outcome, finish| AttemptEnd { attempt, outcome, finish, usage: usage(), partial: "so f".into() };
    let failed = |retry_at| AttemptOutcome::Failed {
        class: ErrorClass::RateLimited,
        message: "429 from the provider".into(),
        retry_at,
    };
    let rejected =
        AttemptOutcome::Rejected { reason: RejectReason::Length, detail: "cut at 8192 tokens".into() };
    vec![
        prepared(step).into(),
        AttemptStart {
            attempt,
            step,
            number: 1,
            request: Digest([1; 32]),
            provider: "openai".into(),
            model: "small".into(),
        }
        .into(),
        end(AttemptOutcome::Accepted, Some(FinishReason::ToolCalls)).into(),
        end(rejected, Some(FinishReason::Length)).into(),
        end(failed(Some(Timestamp(1_764_500_060_000))), None).into(),
        end(failed(None), None).into(),
        end(AttemptOutcome::Aborted, None).into(),
        end(AttemptOutcome::Interrupted, None).into(),
        AssistantAccepted {
            attempt,
            step,
            content: vec![
                AcceptedPart::Reasoning { text: "the test is wrong".into(), opaque: Some("c2lnbmVk".into()) },
                AcceptedPart::Text("I run ".into()),
                AcceptedPart::Text("the tests.".into()),
            ],
            calls: 1,
        }
        .into(),
    ]
}

fn prepared(step: StepId) -> RequestPrepared {
    RequestPrepared {
        step,
        revision: 1,
        digest: Digest([1; 32]),
        history_revision: 0,
        manifest: Manifest { head: Digest([2; 32]), base: 0, added: 1 },
        includes: vec![MessageId::from_bits(2)],
        projection: Projection { assembler: 1, encoder: "chat/1".into() },
        context: ContextDigest { tokens: 900, limit: 119_808, items: vec![], dropped: vec![] },
    }
}

fn calls() -> Vec<Event> {
    let call = |invalid| ToolCall {
        call: CallId::from_bits(7),
        step: StepId::from_bits(5),
        ordinal: 0,
        provider_id: "call_abc".into(),
        name: "shell".into(),
        version: "1".into(),
        input: serde_json::json!({"command": "cargo test"}),
        digest: Digest([4; 32]),
        accesses: vec![],
        occupies: Occupies::Slot,
        invalid,
    };
    let invalid =
        InvalidCall { code: "unknown_tool".into(), reasons: vec!["there is no tool `shell`".into()] };
    vec![
        call(None).into(),
        call(Some(invalid)).into(),
        ToolStart {
            call: CallId::from_bits(7),
            run: 1,
            semantics: Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
            handle: Handle::InProcess,
            sandbox: None,
            rendered: None,
        }
        .into(),
    ]
}

fn approvals() -> Vec<Event> {
    let (approval, call) = (ApprovalId::from_bits(8), CallId::from_bits(7));
    let resolved = |verdict, scope, valid_until, feedback| ApprovalResolved {
        approval,
        verdict,
        scope,
        valid_until,
        feedback,
    };
    vec![
        PolicyDecided {
            call,
            verdict: Verdict::Ask,
            rules: vec!["shell-ask".into()],
            risk: Risk::Shell,
            reason: "this mode asks before commands run".into(),
            resources: vec!["/srv/repo".into()],
            files: vec![],
            rules_digest: None,
            definition: None,
            sandbox: None,
            basis: Basis { policy: 1, config: 1 },
            approval: Some(approval),
        }
        .into(),
        ApprovalRequested {
            approval,
            call,
            tool: "shell".into(),
            version: "1".into(),
            digest: Digest([4; 32]),
            resources: vec!["/srv/repo".into()],
            files: vec![],
            rules_digest: None,
            definition: None,
            sandbox: None,
            rules: vec!["shell-ask".into()],
            risk: Risk::Shell,
            reason: "no rule lets this command run without asking".into(),
            preview: "cargo test\nin /srv/repo".into(),
            again: "`/srv/repo/run.sh` changed since it was approved".into(),
            always: None,
        }
        .into(),
        resolved(ApprovalVerdict::Approve, ApprovalScope::Session, Some(Timestamp(1_764_600_000_000)), None)
            .into(),
        resolved(ApprovalVerdict::Reject, ApprovalScope::Once, None, Some("use nextest".into())).into(),
    ]
}

fn answers() -> Vec<Event> {
    let (call, artifact) = (CallId::from_bits(7), ArtifactId::from_bits(10));
    let result = |status, artifacts| ToolResult {
        call,
        status,
        content: vec![Part::text("ok\n"), Part::Reference(artifact)],
        metadata: ResultMetadata { millis: 1_200, bytes: 70_000, truncated: true, retryable: false },
        artifacts,
    };
    let error = ResultStatus::Error { code: "exit_1".into(), message: "the command failed".into() };
    vec![
        ArtifactStored {
            artifact,
            call,
            hash: Digest([5; 32]),
            media_type: "text/plain".into(),
            size: 70_000,
            summary: "output of `cargo test`".into(),
        }
        .into(),
        result(ResultStatus::Ok, vec![artifact]).into(),
        result(error, vec![]).into(),
        result(ResultStatus::Timeout, vec![]).into(),
        ToolDenied { call, by: DeniedBy::Mode, content: "plan mode".into() }.into(),
        ToolCancelled { call, started: true, content: "stopped".into() }.into(),
    ]
}

fn unknowns() -> Vec<Event> {
    let call = CallId::from_bits(7);
    let (verdict, evidence) =
        (ReconcileVerdict::Unknown, "the file is neither as before nor as after".into());
    let settled =
        |verdict, evidence: &str| ReconciliationResolved { call, verdict, evidence: evidence.into() };
    vec![
        ToolReconciled { call, verdict, evidence }.into(),
        ToolOutcomeUnknown { call, content: "the process ended while the command ran".into() }.into(),
        settled(ResolvedVerdict::Applied, "the tag is there").into(),
        settled(ResolvedVerdict::GoOn, "").into(),
    ]
}

fn jobs() -> Vec<Event> {
    let job = JobId::from_bits(9);
    let phase = |phase, reason, status, summary: &str| {
        let artifact = (status == Some(ResultStatus::Ok)).then(|| ArtifactId::from_bits(12));
        JobPhase { job, phase, reason, status, summary: summary.into(), millis: 12_000, bytes: 90, artifact }
    };
    let killed = ResultStatus::Error { code: "exit_code".into(), message: "exit code 1".into() };
    vec![
        BackgroundRequested { call: job.call() }.into(),
        JobStarted { job, call: job.call(), name: "ses.call.1".into(), command: "cargo test".into() }.into(),
        JobCancelRequested { job }.into(),
        phase(JobState::Completed, None, Some(ResultStatus::Ok), "exit code 0").into(),
        phase(JobState::Completed, None, Some(killed), "exit code 1").into(),
        phase(JobState::Failed, Some(JobReason::TimedOut), Some(ResultStatus::Timeout), "timed out").into(),
        phase(JobState::Reconciling, Some(JobReason::OutcomeUnknown), None, "its supervisor was killed")
            .into(),
    ]
}
