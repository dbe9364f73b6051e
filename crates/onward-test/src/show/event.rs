//! What matters about an event, in a line.

use onward_event::{
    AttemptOutcome, Event, InboxMessage, Part, ResultStatus, SettingChange, Target, ToolCall, ToolResult,
    TurnSource, text_of,
};
use serde::Serialize;

/// The fields that a reader of a log looks for; ids only where they tie records together.
pub(super) fn fields(event: &Event) -> String {
    match event {
        Event::SessionCreated(body) => format!("{} {}", body.spec.mode.name(), body.spec.tools.join(",")),
        Event::SessionConfigured(body) => match &body.change {
            SettingChange::Mode(mode) => format!("mode {}", mode.name()),
            SettingChange::Model(model) => format!("model {}", model.model),
            SettingChange::Limits(_) => "limits".into(),
            SettingChange::JobsAtEnd(rule) => format!("jobs at the end {}", rule.name()),
        },
        Event::OwnerAcquired(body) => format!("epoch {}", body.epoch.0),
        Event::OwnerReleased(body) => format!("epoch {}", body.epoch.0),
        Event::InterruptRequested(_) => String::new(),
        Event::NoticeAdded(body) => format!("{} {:?}", word(&body.reason), body.text),
        Event::InboxReceived(body) => message(&body.message),
        Event::InboxCancelled(body) => format!("{} {}", body.message, word(&body.reason)),
        Event::TurnStart(body) => match &body.source {
            TurnSource::Messages(ids) => format!("{} {} for {}", body.turn, body.run, list(ids)),
            TurnSource::Continuation(seq) => format!("{} {} continues from {seq}", body.turn, body.run),
        },
        Event::TurnEnd(body) => {
            let (usage, next) = (body.usage, &body.next);
            let ends = format!("{} {} {}", body.turn, word(&body.terminal), word(&body.stop));
            format!("{ends}, {}+{} tokens, {next:?}", usage.input, usage.output)
        }
        Event::StepStart(body) => format!("{} number {} with {}", body.step, body.index, list(&body.claims)),
        Event::StepEnd(body) => format!("{} {}", body.step, word(&body.terminal)),
        Event::RecoveryContinuation(body) => {
            format!("{} waits for {}, reclaims {}", body.run, list(&body.blocked_on), list(&body.reclaims))
        }
        Event::DocumentLoaded(body) => format!("{} {} bytes", body.path, body.size),
        Event::RequestPrepared(body) => {
            let manifest = &body.manifest;
            let what = format!("{}+{} messages", manifest.base, manifest.added);
            format!("{} revision {}: {what}, includes {}", body.step, body.revision, list(&body.includes))
        }
        _ => act(event),
    }
}

/// Attempts and calls.
fn act(event: &Event) -> String {
    match event {
        Event::AttemptStart(body) => format!("{} number {} of {}", body.attempt, body.number, body.step),
        Event::AttemptEnd(body) => format!("{} {}", body.attempt, outcome(&body.outcome)),
        Event::AssistantAccepted(body) => format!("{} {} calls", json(&body.content), body.calls),
        Event::ToolCall(body) => call(body),
        Event::PolicyDecided(body) => {
            let approval = body.approval.map_or_else(String::new, |id| format!(" by {id}"));
            format!("{} {} {}{approval}", body.call, word(&body.verdict), body.rules.join(","))
        }
        Event::ApprovalRequested(body) => {
            format!("{} for {}: {:?}", body.approval, body.call, body.preview)
        }
        Event::ApprovalResolved(body) => {
            format!("{} {} {}", body.approval, word(&body.verdict), word(&body.scope))
        }
        Event::ToolStart(body) => format!("{} run {} {}", body.call, body.run, json(&body.semantics)),
        Event::ArtifactStored(body) => format!("{} of {}, {} bytes", body.artifact, body.call, body.size),
        Event::ToolResult(body) => result(body),
        Event::ToolDenied(body) => format!("{} by {}: {:?}", body.call, word(&body.by), body.content),
        Event::ToolCancelled(body) => format!("{} started: {}", body.call, body.started),
        Event::ToolOutcomeUnknown(body) => format!("{}: {:?}", body.call, body.content),
        Event::ToolReconciled(body) => {
            format!("{} {}: {:?}", body.call, word(&body.verdict), body.evidence)
        }
        Event::ReconciliationResolved(body) => format!("{} {}", body.call, word(&body.verdict)),
        Event::JobStarted(body) => format!("{} of {}: {}", body.job, body.call, body.command),
        Event::JobPhase(body) => format!("{} {}: {}", body.job, body.phase.name(), body.summary),
        _ => String::new(),
    }
}

fn message(message: &InboxMessage) -> String {
    let manner = match (message.target, message.wakeup) {
        (Target::NextStep, true) => "steer",
        (Target::NextStep, false) => "inject",
        (Target::NextTurn, _) => "turn",
    };
    format!("{} {manner} {:?}", message.id, text_of(&message.content))
}

fn outcome(outcome: &AttemptOutcome) -> String {
    match outcome {
        AttemptOutcome::Accepted => "accepted".into(),
        AttemptOutcome::Rejected { reason, detail } => format!("rejected {}: {detail}", word(reason)),
        AttemptOutcome::Failed { class, retry_at, .. } => {
            let again = if retry_at.is_some() { "tried again" } else { "given up" };
            format!("failed {}, {again}", word(class))
        }
        AttemptOutcome::Aborted => "aborted".into(),
        AttemptOutcome::Interrupted => "interrupted".into(),
    }
}

fn call(call: &ToolCall) -> String {
    let invalid = call.invalid.as_ref().map_or_else(String::new, |invalid| format!(" {}", invalid.code));
    format!("{} {} {}{invalid}", call.call, call.name, call.input)
}

fn result(result: &ToolResult) -> String {
    let status = match &result.status {
        ResultStatus::Ok => "ok".into(),
        ResultStatus::Error { code, .. } => format!("error {code}"),
        ResultStatus::Timeout => "timeout".into(),
    };
    let text: &[Part] = &result.content;
    format!("{} {status} {:?}", result.call, text_of(text))
}

/// A unit variant as the log writes it.
fn word(value: &impl Serialize) -> String {
    json(value).trim_matches('"').to_owned()
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn list<T: std::fmt::Display>(items: &[T]) -> String {
    let items: Vec<String> = items.iter().map(ToString::to_string).collect();
    format!("[{}]", items.join(" "))
}
