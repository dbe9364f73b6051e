//! One record in words for people.

use onward_event::{
    AttemptOutcome, Event, JobPhase, JobState, Mode, Part, ReconcileVerdict, Record, ResultStatus,
    SettingChange, StopReason, Timestamp, ToolCall, ToolResult, TurnSource, TurnStart, TurnTerminal, Verdict,
    text_of,
};
use serde_json::Value;

use onward_wire::terminal::{exact as printable, output};

use super::approval::approval_lines;
use super::line::{Line, Style};
use super::mode::mode_words;

/// Lines of a tool's output that progress shows.
const SHOWN_OUTPUT_LINES: usize = 12;
/// Characters of an input that a line shows.
const SHOWN_INPUT_CHARS: usize = 160;

/// What progress says about a record; nothing for records that only matter to the runtime.
pub(crate) fn describe(record: &Record) -> Vec<Line> {
    lines(record, SHOWN_OUTPUT_LINES)
}

/// The same, with the whole output of tools.
pub(crate) fn describe_whole(record: &Record) -> Vec<Line> {
    lines(record, usize::MAX)
}

fn lines(record: &Record, most: usize) -> Vec<Line> {
    match &record.event {
        Event::ToolCall(call) => vec![call_line(call)],
        Event::ToolResult(result) => result_lines(result, most),
        // A question has its own lines, and of what is allowed the result tells.
        Event::PolicyDecided(decided) if decided.verdict == Verdict::Deny => {
            vec![Line::new(Style::Dim, format!("  denied by {}", printable(&decided.rules.join(", "))))]
        }
        Event::ToolDenied(denied) => labelled("", &denied.content),
        Event::ToolCancelled(cancelled) => labelled("cancelled: ", &cancelled.content),
        Event::ToolOutcomeUnknown(unknown) => labelled("outcome unknown: ", &unknown.content),
        Event::ToolReconciled(found) => {
            let verdict = match found.verdict {
                ReconcileVerdict::Applied => "it had been applied; not done again",
                ReconcileVerdict::NotApplied => "it had not been applied; done again",
                // Its `tool/outcome_unknown` follows, with the same words.
                ReconcileVerdict::Unknown => return Vec::new(),
            };
            vec![Line::new(
                Style::Strong,
                format!("  reconciled: {verdict} ({})", printable(&found.evidence)),
            )]
        }
        Event::ApprovalRequested(asked) => approval_lines(asked),
        Event::SessionConfigured(changed) if changed.change == SettingChange::Mode(Mode::Bypass) => {
            vec![Line::new(Style::Bad, format!("  mode {}", mode_words(Mode::Bypass)))]
        }
        Event::JobStarted(started) => {
            vec![Line::new(Style::Strong, format!("▶ {}  {}", started.job, printable(&started.command)))]
        }
        Event::JobPhase(job) => job_lines(job),
        Event::AttemptEnd(end) => attempt_lines(&end.outcome, record.at),
        Event::NoticeAdded(notice) => {
            vec![Line::new(Style::Dim, format!("  notice: {}", printable(&notice.text)))]
        }
        Event::TurnStart(TurnStart { source: TurnSource::Continuation(_), .. }) => {
            vec![Line::new(Style::Strong, "↻ the work goes on from the log")]
        }
        Event::TurnEnd(end) if end.stop == StopReason::Final => Vec::new(),
        Event::TurnEnd(end) => {
            let style = if end.terminal == TurnTerminal::Interrupted { Style::Dim } else { Style::Bad };
            vec![Line::new(style, printable(&end.next))]
        }
        _ => Vec::new(),
    }
}

/// How an unknown outcome is settled.
pub(crate) fn settle_hint(call: &str) -> String {
    format!("  find out, then: onward reconcile {call} --applied | --not-applied | --go-on [--evidence TEXT]")
}

fn call_line(call: &ToolCall) -> Line {
    Line::new(
        Style::Strong,
        format!("● {}  {}", printable(&call.name), describe_input(&call.name, &call.input)),
    )
}

/// The part of an input that says most, on one line.
pub(crate) fn describe_input(tool: &str, input: &Value) -> String {
    let field = match tool {
        "shell" => "command",
        "glob" | "grep" => "pattern",
        "read_artifact" => "id",
        "job_output" | "job_wait" | "job_cancel" => "job",
        _ => "path",
    };
    let text = match input.get(field).and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None => input.to_string(),
    };
    let text = printable(&text).replace('\n', "⏎");
    match text.char_indices().nth(SHOWN_INPUT_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

fn result_lines(result: &ToolResult, most: usize) -> Vec<Line> {
    let (style, status) = match &result.status {
        ResultStatus::Ok => (Style::Good, "ok".to_owned()),
        ResultStatus::Error { code, .. } => (Style::Bad, code.replace('_', " ")),
        ResultStatus::Timeout => (Style::Bad, "timeout".to_owned()),
    };
    let mut lines = vec![Line::new(style, format!("  {status} · {} ms", result.metadata.millis))];
    let text = output(&text_of(&result.content));
    let all: Vec<&str> = text.lines().collect();
    let shown = if all.len() > most { most - 1 } else { all.len() };
    lines.extend(all[..shown].iter().map(|line| Line::new(Style::Dim, format!("    {line}"))));
    if all.len() > shown {
        let rest = all.len() - shown;
        lines.push(Line::new(Style::Dim, format!("    … {rest} more lines (`onward show` has them all)")));
    }
    lines
}

fn attempt_lines(outcome: &AttemptOutcome, at: Timestamp) -> Vec<Line> {
    match outcome {
        AttemptOutcome::Failed { message, retry_at, .. } => {
            let next = match retry_at {
                Some(retry) => format!("; trying again in {:.1} s", retry.millis_since(at) as f64 / 1000.0),
                None => String::new(),
            };
            vec![Line::new(
                Style::Bad,
                format!("  the model could not be used: {}{next}", printable(message)),
            )]
        }
        AttemptOutcome::Rejected { detail, .. } => {
            vec![Line::new(
                Style::Bad,
                format!("  the model's output was not accepted: {}", printable(detail)),
            )]
        }
        AttemptOutcome::Interrupted => {
            vec![Line::new(Style::Dim, "  a model request was cut off by a crash")]
        }
        AttemptOutcome::Accepted | AttemptOutcome::Aborted => Vec::new(),
    }
}

fn job_lines(job: &JobPhase) -> Vec<Line> {
    let style = match (job.phase, &job.status) {
        (JobState::Completed, Some(ResultStatus::Ok)) => Style::Good,
        (JobState::Cancelled | JobState::Running, _) => Style::Strong,
        _ => Style::Bad,
    };
    let text = format!("■ {}  {}: {}", job.job, job.phase.name(), printable(&job.summary));
    let mut lines = vec![Line::new(style, text)];
    if job.phase == JobState::Reconciling {
        lines.push(Line::new(Style::Plain, settle_hint(&job.job.to_string())));
    }
    lines
}

/// Why a call has no result: the first line behind its label, the others below it.
fn labelled(label: &str, text: &str) -> Vec<Line> {
    let (first, rest) = text.trim_end().split_once('\n').unwrap_or((text.trim_end(), ""));
    let mut lines = vec![Line::new(Style::Bad, format!("  {label}{}", printable(first)))];
    lines.extend(indented(rest, Style::Dim));
    lines
}

/// Every line of a text, indented.
pub(crate) fn indented(text: &str, style: Style) -> Vec<Line> {
    text.lines().map(|line| Line::new(style, format!("    {}", printable(line)))).collect()
}

/// The words of a message, with what is not text named.
pub(crate) fn content_words(content: &[Part]) -> String {
    let words = content.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Blob { media_type, size, .. } => format!("[{media_type}, {size} bytes]"),
        Part::Reference(id) => format!("[{id}]"),
        Part::SecretRef(name) => format!("[secret {name}]"),
    });
    words.collect()
}
