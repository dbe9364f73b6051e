//! Ids from small numbers, and the values that logs are made of.

use onward_event::*;

pub(crate) fn msg(n: u128) -> MessageId {
    MessageId::from_bits(n)
}

pub(crate) fn turn(n: u128) -> TurnId {
    TurnId::from_bits(n)
}

pub(crate) fn run(n: u128) -> RunId {
    RunId::from_bits(n)
}

pub(crate) fn step(n: u128) -> StepId {
    StepId::from_bits(n)
}

pub(crate) fn attempt(n: u128) -> AttemptId {
    AttemptId::from_bits(n)
}

pub(crate) fn call(n: u128) -> CallId {
    CallId::from_bits(n)
}

pub(crate) fn approval(n: u128) -> ApprovalId {
    ApprovalId::from_bits(n)
}

pub(crate) fn artifact(n: u128) -> ArtifactId {
    ArtifactId::from_bits(n)
}

/// No effects, and may run again.
pub(crate) fn read() -> Semantics {
    Semantics::None(Retry::Allowed)
}

/// No effects, but a second answer would mean something else.
pub(crate) fn read_once() -> Semantics {
    Semantics::None(Retry::Forbidden)
}

/// An edit: what became of it can be found out.
pub(crate) fn edit() -> Semantics {
    Semantics::Possible(Recovery::Reconcile("before and after".into()))
}

/// A command: nobody can find out.
pub(crate) fn shell() -> Semantics {
    Semantics::Possible(Recovery::Manual(OnUnknown::Ask))
}

pub(crate) fn keyed(key: &str) -> Semantics {
    Semantics::Possible(Recovery::Idempotent(key.into()))
}

/// A containment that lets the workspace change and nobody be reached.
pub(crate) fn contained() -> Sandbox {
    Sandbox {
        tier: Tier::Landlock,
        files: FileAccess::WorkspaceWrite,
        network: NetworkAccess::Closed,
        writable: vec!["/cache".into()],
    }
}

/// What every attempt uses.
pub(crate) const USE: Usage =
    Usage { input: 100, cached: 40, output: 7, cost_micros: 3, source: UsageSource::Reported };

/// The digest of a call's input, from the tool's name alone.
pub(crate) fn input_digest(tool: &str) -> Digest {
    crate::env::hash(&Digest::ZERO, tool.as_bytes())
}

/// The digest of the request that a log describes.
pub(crate) fn request_digest(step: StepId, revision: u32) -> Digest {
    crate::env::hash(&Digest::ZERO, format!("{step} {revision}").as_bytes())
}

/// The head of every request.
pub(crate) const HEAD: &[u8] = b"instructions and tools";

pub(crate) fn head() -> Digest {
    crate::env::hash(&Digest::ZERO, HEAD)
}

pub(crate) fn created() -> SessionCreated {
    let model = ModelConfig::new("p", "m", 100_000, 4_000);
    let spec = AgentSpec {
        model,
        tools: vec!["edit".into()],
        mode: Mode::Normal,
        limits: Limits::default(),
        jobs_at_end: JobsAtEnd::default(),
    };
    let workspace = Workspace { root: "/w".into(), dir: "/w".into() };
    SessionCreated { session: SessionId::from_bits(1), spec, workspace }
}
