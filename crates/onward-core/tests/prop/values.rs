//! Values that the moves are made of.

use onward_core::{ProposedCall, Report, Session};
use onward_event::{
    AcceptedPart, Access, AccessKind, AgentSpec, ArtifactId, ArtifactStored, CallId, Digest, InvalidCall,
    JobsAtEnd, Limits, Message, Mode, ModelConfig, Occupies, OnUnknown, Part, Recovery, ResultMetadata,
    ResultStatus, Retry, Semantics, Usage, UsageSource,
};
use serde_json::json;

use crate::dice::Dice;
use crate::env::hash;

/// One tool of each kind.
pub(crate) const TOOLS: [&str; 6] = ["look", "peek", "put", "place", "fire", "seal"];

pub(crate) fn spec() -> AgentSpec {
    AgentSpec {
        model: ModelConfig::new("p", "m", 1_000, 100),
        tools: TOOLS.map(String::from).into(),
        mode: Mode::Auto,
        limits: Limits { max_steps: 12, ..Limits::default() },
        jobs_at_end: JobsAtEnd::default(),
    }
}

pub(crate) fn limits(dice: &mut Dice) -> Limits {
    Limits {
        max_steps: 2 + dice.roll(20) as u32,
        max_tokens: dice.once_in(3).then(|| 50 + dice.roll(200)),
        max_attempts: 1 + dice.roll(4) as u32,
        max_rejections: 1 + dice.roll(3) as u32,
        max_repeated_calls: 2 + dice.roll(7) as u32,
        max_repeated_errors: 3 + dice.roll(9) as u32,
        max_denials: 2 + dice.roll(9) as u32,
        max_recoveries: dice.roll(6) as u32,
        ..Limits::default()
    }
}

pub(crate) fn semantics(tool: &str) -> Semantics {
    match tool {
        "look" => Semantics::None(Retry::Allowed),
        "peek" => Semantics::None(Retry::Forbidden),
        "put" => Semantics::Possible(Recovery::Idempotent("key".into())),
        "place" => Semantics::Possible(Recovery::Reconcile(json!({}))),
        "seal" => Semantics::Possible(Recovery::Manual(OnUnknown::Block)),
        _ => Semantics::Possible(Recovery::Manual(OnUnknown::Ask)),
    }
}

pub(crate) fn proposed(dice: &mut Dice) -> ProposedCall {
    let name = TOOLS[dice.roll(6) as usize];
    let thing = dice.roll(3).to_string();
    let input = json!({ "thing": thing });
    let kind = if dice.once_in(2) { AccessKind::Read } else { AccessKind::Write };
    let invalid = dice
        .once_in(8)
        .then(|| InvalidCall { code: "invalid_arguments".into(), reasons: vec!["it does not fit".into()] });
    ProposedCall {
        provider_id: if dice.once_in(3) { String::new() } else { format!("id{thing}") },
        name: name.into(),
        version: "1".into(),
        digest: hash(&Digest::ZERO, format!("{name}{input}").as_bytes()),
        input: Some(input),
        accesses: vec![Access { kind, resource: thing }],
        occupies: Occupies::Slot,
        invalid,
    }
}

pub(crate) fn report(dice: &mut Dice, call: CallId, artifact: Option<ArtifactId>) -> Report {
    let status = match dice.roll(4) {
        0 => ResultStatus::Error { code: "failed".into(), message: "it failed".into() },
        1 if dice.once_in(3) => ResultStatus::Timeout,
        _ => ResultStatus::Ok,
    };
    let stored = artifact.map(|artifact| ArtifactStored {
        artifact,
        call,
        hash: Digest([7; 32]),
        media_type: "text/plain".into(),
        size: 3,
        summary: "all of it".into(),
    });
    Report {
        status,
        content: vec![Part::text("result")],
        metadata: ResultMetadata::default(),
        artifacts: stored.into_iter().collect(),
    }
}

pub(crate) fn good_report() -> Report {
    Report {
        status: ResultStatus::Ok,
        content: vec![Part::text("good")],
        metadata: ResultMetadata::default(),
        artifacts: Vec::new(),
    }
}

pub(crate) fn usage(dice: &mut Dice) -> Usage {
    Usage { input: dice.roll(20), output: dice.roll(5), source: UsageSource::Reported, ..Usage::default() }
}

pub(crate) fn text(words: &str) -> Vec<AcceptedPart> {
    vec![AcceptedPart::Text(words.into())]
}

/// The digest of the request that the session would send now: over all that it shows.
pub(crate) fn request_digest(session: &Session) -> Digest {
    let additions = session.additions();
    let messages = session.history().iter().chain(&additions);
    messages.fold(Digest::ZERO, |digest, message: &Message| hash(&digest, format!("{message:?}").as_bytes()))
}
