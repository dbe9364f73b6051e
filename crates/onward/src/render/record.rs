//! One record in words for people.

use onward_event::{
    AttemptEnd, AttemptOutcome, Event, JobPhase, JobState, Mode, Part, ReconcileVerdict, Record,
    ResultStatus, SettingChange, StopReason, Timestamp, ToolCall, ToolResult, TurnSource, TurnStart,
    TurnTerminal, Verdict, text_of,
};
use serde_json::Value;

use onward_wire::terminal::{exact as printable, output, prose};

use super::approval::approval_lines;
use super::line::{Line, Style};
use super::mode::mode_words;

/// Lines of a tool's output that progress shows.
const SHOWN_OUTPUT_LINES: usize = 12;
/// Characters of an input that a line shows.
const SHOWN_INPUT_CHARS: usize = 160;

/// How much is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// While it happens: output is cut, and what was seen as it came is not said again.
    Progress,
    /// Afterwards: all of it.
    Whole,
}

/// What is said about a record; nothing for records that only matter to the runtime. `label` says which call is meant,
/// where that is not clear.
pub(super) fn describe(record: &Record, label: &str, detail: Detail) -> Vec<Line> {
    match &record.event {
        Event::ToolCall(call) => vec![call_line(call)],
        Event::ToolResult(result) => result_lines(result, label, detail),
        // A question has its own lines, and of what is allowed the result tells.
        Event::PolicyDecided(decided) if decided.verdict == Verdict::Deny => {
            vec![Line::new(
                Style::Dim,
                format!("  {label}denied by {}", printable(&decided.rules.join(", "))),
            )]
        }
        Event::ToolDenied(denied) => labelled(label, &denied.content),
        Event::ToolCancelled(cancelled) => labelled(&format!("{label}cancelled: "), &cancelled.content),
        Event::ToolOutcomeUnknown(unknown) => {
            labelled(&format!("{label}outcome unknown: "), &unknown.content)
        }
        Event::ToolReconciled(found) => {
            let then = match found.verdict {
                ReconcileVerdict::Applied => "it is not done again",
                ReconcileVerdict::NotApplied => "it is judged again",
                // Its `tool/outcome_unknown` follows, with the same words.
                ReconcileVerdict::Unknown => return Vec::new(),
            };
            let line = format!("  {label}found out: {}; {then}", printable(&found.evidence));
            vec![Line::new(Style::Strong, line)]
        }
        Event::ApprovalRequested(asked) => approval_lines(asked),
        Event::SessionConfigured(changed) if changed.change == SettingChange::Mode(Mode::Bypass) => {
            vec![Line::new(Style::Bad, format!("  mode {}", mode_words(Mode::Bypass)))]
        }
        Event::JobStarted(started) => {
            vec![Line::new(Style::Strong, format!("▶ {}  {}", started.job, printable(&started.command)))]
        }
        Event::JobPhase(job) => job_lines(job),
        Event::AttemptEnd(end) => attempt_lines(end, record.at, detail),
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

fn result_lines(result: &ToolResult, label: &str, detail: Detail) -> Vec<Line> {
    let most = match detail {
        Detail::Progress => SHOWN_OUTPUT_LINES,
        Detail::Whole => usize::MAX,
    };
    let (style, status) = match &result.status {
        ResultStatus::Ok => (Style::Good, "ok".to_owned()),
        ResultStatus::Error { code, .. } => (Style::Bad, code.replace('_', " ")),
        ResultStatus::Timeout => (Style::Bad, "timeout".to_owned()),
    };
    let mut lines = vec![Line::new(style, format!("  {label}{status} · {} ms", result.metadata.millis))];
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

fn attempt_lines(end: &AttemptEnd, at: Timestamp, detail: Detail) -> Vec<Line> {
    let mut lines = match &end.outcome {
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
            vec![Line::new(Style::Dim, "  a reply of the model was cut off by a crash")]
        }
        AttemptOutcome::Aborted if detail == Detail::Whole => {
            vec![Line::new(Style::Dim, "  a reply of the model was stopped")]
        }
        AttemptOutcome::Accepted | AttemptOutcome::Aborted => Vec::new(),
    };
    // Of what was stopped or failed while somebody looked, the words were seen as they came.
    let unseen = detail == Detail::Whole || end.outcome == AttemptOutcome::Interrupted;
    if unseen && !end.partial.trim().is_empty() {
        lines.push(Line::new(Style::Dim, "  what had arrived of it, which the model is not shown:"));
        let words = prose(end.partial.trim_end());
        lines.extend(words.lines().map(|line| Line::new(Style::Dim, format!("    {line}"))));
    }
    lines
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
