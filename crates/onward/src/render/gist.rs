//! One record in one line, for `onward log`: position, time, writer, kind, and what matters most, in words.

use jiff::Timestamp as Instant;
use onward_event::{AttemptOutcome, Event, Record, ResultStatus, SettingChange, Timestamp, text_of};
use serde::Serialize;

use onward_wire::terminal::exact as printable;

use super::approval::sandbox_words;

/// Characters of a text that a line shows.
const SHOWN_CHARS: usize = 160;

/// One line of `onward log`.
pub(crate) fn log_line(record: &Record) -> String {
    let who = match (&record.epoch, &record.by) {
        (Some(epoch), _) => format!("owner/{}", epoch.0),
        (None, Some(by)) => format!("{}/{}", by.channel, by.principal),
        (None, None) => "?".into(),
    };
    let gist = gist(&record.event);
    let line = format!(
        "{:>6}  {}  {who:<12}  {:<24}  {gist}",
        record.seq,
        time_of_day(record.at),
        record.event.kind()
    );
    line.trim_end().to_owned()
}

fn time_of_day(at: Timestamp) -> String {
    let millis = i64::try_from(at.0).unwrap_or(i64::MAX);
    match Instant::from_millisecond(millis) {
        Ok(instant) => instant.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string(),
        Err(_) => at.0.to_string(),
    }
}

/// Sessions, messages, turns and steps; the rest follows below.
fn gist(event: &Event) -> String {
    match event {
        Event::SessionCreated(e) => {
            let (model, mode) = (&e.spec.model, e.spec.mode.name());
            format!("{} {}/{}, mode {mode}", e.session, model.provider, model.model)
        }
        Event::SessionConfigured(e) => change(&e.change),
        Event::OwnerAcquired(e) => e.owner.clone(),
        Event::InboxReceived(e) => format!("{} {}", e.message.id, one_line(&text_of(&e.message.content))),
        Event::InboxCancelled(e) => e.message.to_string(),
        Event::NoticeAdded(e) => one_line(&e.text),
        Event::TurnStart(e) => format!("{} of {}", e.turn, e.run),
        Event::TurnEnd(e) => one_line(&format!("{}, {} {}", word(&e.terminal), word(&e.stop), e.next)),
        Event::StepStart(e) => format!("{} #{}", e.step, e.index),
        Event::StepEnd(e) => format!("{} {}", e.step, word(&e.terminal)),
        Event::DocumentLoaded(e) => format!("{} {}", printable(&e.path), e.hash.short()),
        _ => of_attempt(event),
    }
}

fn change(change: &SettingChange) -> String {
    match change {
        SettingChange::Mode(mode) => format!("mode {}", mode.name()),
        SettingChange::Model(model) => format!("model {}/{}", model.provider, model.model),
        SettingChange::Limits(_) => "limits".into(),
        SettingChange::JobsAtEnd(rule) => format!("jobs at the end {}", rule.name()),
    }
}

fn of_attempt(event: &Event) -> String {
    match event {
        Event::RequestPrepared(e) => {
            format!(
                "{} +{} of {} messages, ~{} tokens",
                e.digest.short(),
                e.manifest.added,
                e.manifest.base + e.manifest.added,
                e.context.tokens
            )
        }
        Event::AttemptStart(e) => format!("{} #{}", e.attempt, e.number),
        Event::AttemptEnd(e) => one_line(&format!("{} {}", e.attempt, outcome(&e.outcome))),
        Event::AssistantAccepted(e) => match e.calls {
            1 => "1 call".into(),
            calls => format!("{calls} calls"),
        },
        _ => of_call(event),
    }
}

fn outcome(outcome: &AttemptOutcome) -> String {
    match outcome {
        AttemptOutcome::Accepted => "accepted".into(),
        AttemptOutcome::Rejected { reason, detail } => format!("rejected, {}: {detail}", word(reason)),
        AttemptOutcome::Failed { class, message, .. } => format!("failed, {}: {message}", word(class)),
        AttemptOutcome::Aborted => "stopped on request".into(),
        AttemptOutcome::Interrupted => "cut off".into(),
    }
}

fn of_call(event: &Event) -> String {
    match event {
        Event::ToolCall(e) => format!("{} {} {}", e.call, printable(&e.name), one_line(&e.input.to_string())),
        Event::PolicyDecided(e) => format!("{} {} by {}", e.call, word(&e.verdict), e.rules.join(", ")),
        Event::ApprovalRequested(e) => format!("{} for {}", e.approval, e.call),
        Event::ApprovalResolved(e) => format!("{} {} {}", e.approval, word(&e.verdict), word(&e.scope)),
        Event::ToolStart(e) => match &e.sandbox {
            None => format!("{} run {}", e.call, e.run),
            Some(sandbox) => format!("{} run {}, {}", e.call, e.run, sandbox_words(sandbox)),
        },
        Event::ToolResult(e) => one_line(&format!("{} {}", e.call, status(&e.status))),
        Event::ToolDenied(e) => one_line(&format!("{} {}", e.call, e.content)),
        Event::ToolCancelled(e) => e.call.to_string(),
        Event::ToolOutcomeUnknown(e) => one_line(&format!("{} unknown: {}", e.call, e.content)),
        Event::ToolReconciled(e) => one_line(&format!("{} {}: {}", e.call, word(&e.verdict), e.evidence)),
        Event::ReconciliationResolved(e) => {
            let evidence = if e.evidence.is_empty() { String::new() } else { format!(": {}", e.evidence) };
            one_line(&format!("{} {}{evidence}", e.call, word(&e.verdict)))
        }
        Event::ArtifactStored(e) => format!("{} {} bytes", e.artifact, e.size),
        Event::BackgroundRequested(e) => e.call.to_string(),
        Event::JobStarted(e) => one_line(&format!("{} {}", e.job, e.command)),
        Event::JobPhase(e) => one_line(&format!("{} {}: {}", e.job, e.phase.name(), e.summary)),
        Event::JobCancelRequested(e) => e.job.to_string(),
        // These say everything by their kind.
        _ => String::new(),
    }
}

fn status(status: &ResultStatus) -> String {
    match status {
        ResultStatus::Ok => "ok".into(),
        ResultStatus::Error { code, message } => format!("error, {}: {message}", code.replace('_', " ")),
        ResultStatus::Timeout => "timeout".into(),
    }
}

fn one_line(text: &str) -> String {
    printable(text).replace('\n', "⏎").chars().take(SHOWN_CHARS).collect()
}

/// A value in the word that the log has for it.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word.replace('_', " "),
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}
