//! What the model is told about a command that has ended.

use onward_event::{ArtifactId, JobEnd, Part, ResultMetadata, ResultStatus};
use onward_port::{ExecutionEnd, ExecutionResult, Followed, NewArtifact, ToolReport};

use super::capture::{Capture, Shown};
use super::command::Command;
use super::hint::{Failed, hint};
use crate::text::size;

/// Bytes of the output's end in which the reason of a failure is looked for.
const MAX_LOOKED_AT: usize = 8 << 10;
/// Characters of the command that name its artifact.
const MAX_SUMMARY: usize = 80;

/// What a call is answered with whose command has ended.
pub(super) enum Answer {
    /// Its result.
    Finished(ToolReport),
    /// It was told to stop.
    Cancelled {
        /// What is known about partial effects.
        content: String,
    },
}

/// The answer of the call.
pub(super) fn ended(result: ExecutionResult, command: &Command<'_>, artifact: ArtifactId) -> Answer {
    let ended = Ended::of(result);
    let line = end_line(&ended, command);
    match ended.end {
        ExecutionEnd::Stopped => {
            let (output, most) = (&ended.output, command.limits.max_output_bytes);
            Answer::Cancelled { content: text(&line, &output.shown(most), output.total(), "") }
        }
        ExecutionEnd::Exited(_) | ExecutionEnd::Signalled(_) | ExecutionEnd::TimedOut => {
            Answer::Finished(report(ended, command, artifact, &line))
        }
    }
}

/// What became of a job. Its output is kept whole, and shown when it is asked for.
pub(super) fn followed(result: ExecutionResult, command: &Command<'_>, id: ArtifactId) -> Followed {
    let ended = Ended::of(result);
    let summary = end_line(&ended, command);
    let how = match ended.end {
        ExecutionEnd::Exited(_) | ExecutionEnd::Signalled(_) => JobEnd::Completed,
        ExecutionEnd::TimedOut => JobEnd::TimedOut,
        ExecutionEnd::Stopped => JobEnd::Stopped,
    };
    let Ended { end, millis, output, .. } = ended;
    let metadata = ResultMetadata { millis, bytes: output.total(), ..ResultMetadata::default() };
    let artifacts = if output.total() > 0 { vec![artifact(output, command, id)] } else { Vec::new() };
    let (status, content) = (status(end), vec![Part::text(summary.as_str())]);
    Followed::Ended { how, summary, report: ToolReport { status, content, metadata, artifacts } }
}

/// A command on one line, and not a long one.
pub(super) fn shortened(command: &str) -> String {
    let line: String = command.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_SUMMARY) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

const ENDED: &str = "every process of the command was ended. What it did until then stays done";

/// A command that has ended, and what was kept of its output.
struct Ended {
    end: ExecutionEnd,
    millis: u64,
    left_behind: bool,
    restored: Vec<String>,
    output: Capture,
}

impl Ended {
    fn of(result: ExecutionResult) -> Self {
        let ExecutionResult { end, millis, total, kept, tail, left_behind, restored } = result;
        Self { end, millis, left_behind, restored, output: Capture::of(kept, tail, total) }
    }
}

fn status(end: ExecutionEnd) -> ResultStatus {
    let error = |code: &str| ResultStatus::Error { code: code.into(), message: end_text(end) };
    match end {
        ExecutionEnd::Exited(0) => ResultStatus::Ok,
        ExecutionEnd::Exited(_) => error("exit_code"),
        ExecutionEnd::Signalled(_) => error("killed_by_signal"),
        ExecutionEnd::TimedOut => ResultStatus::Timeout,
        ExecutionEnd::Stopped => error("cancelled"),
    }
}

/// How it ended, what was put back, and whether the sandbox may be why it failed.
fn end_line(ended: &Ended, command: &Command<'_>) -> String {
    let text = end_text(ended.end);
    let line = match ended.end {
        ExecutionEnd::Exited(_) | ExecutionEnd::Signalled(_) if ended.left_behind => {
            format!("{text}; processes that it left in the background were ended")
        }
        ExecutionEnd::Exited(_) | ExecutionEnd::Signalled(_) => text,
        ExecutionEnd::TimedOut => format!("{text} after {} s; {ENDED}", command.time.as_secs()),
        ExecutionEnd::Stopped => format!("{text}; {ENDED}"),
    };
    let hint = match ended.end {
        ExecutionEnd::Exited(0) | ExecutionEnd::TimedOut | ExecutionEnd::Stopped => None,
        ExecutionEnd::Exited(_) | ExecutionEnd::Signalled(_) => {
            let (sandbox, workspace) = (command.sandbox, command.workspace.as_str());
            let failed = Failed { sandbox, workspace, folder: command.folder, end: ended.end };
            hint(&failed, &ended.output.end(MAX_LOOKED_AT))
        }
    };
    let notes = ended.restored.iter().cloned().chain(hint);
    notes.fold(line, |line, note| format!("{line}\n[{note}]"))
}

fn end_text(end: ExecutionEnd) -> String {
    match end {
        ExecutionEnd::Exited(code) => format!("exit code {code}"),
        ExecutionEnd::Signalled(signal) => format!("killed by signal {signal}{}", signal_name(signal)),
        ExecutionEnd::TimedOut => "timed out".into(),
        ExecutionEnd::Stopped => "stopped on request".into(),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        1 => " (SIGHUP)",
        2 => " (SIGINT)",
        3 => " (SIGQUIT)",
        4 => " (SIGILL)",
        6 => " (SIGABRT)",
        7 => " (SIGBUS)",
        8 => " (SIGFPE)",
        9 => " (SIGKILL)",
        11 => " (SIGSEGV)",
        13 => " (SIGPIPE)",
        14 => " (SIGALRM)",
        15 => " (SIGTERM)",
        24 => " (SIGXCPU)",
        25 => " (SIGXFSZ)",
        _ => "",
    }
}

fn report(ended: Ended, command: &Command<'_>, id: ArtifactId, line: &str) -> ToolReport {
    let Ended { end, millis, output, .. } = ended;
    let shown = output.shown(command.limits.max_output_bytes);
    let truncated = matches!(shown, Shown::Cut { .. });
    let note = if truncated { artifact_note(&output, id) } else { String::new() };
    let metadata = ResultMetadata { millis, bytes: output.total(), truncated, ..ResultMetadata::default() };
    let content = vec![Part::Text(text(line, &shown, output.total(), &note))];
    let artifacts = if truncated { vec![artifact(output, command, id)] } else { Vec::new() };
    ToolReport { status: status(end), content, metadata, artifacts }
}

fn text(line: &str, shown: &Shown, total: u64, note: &str) -> String {
    match shown {
        Shown::Whole(output) if output.is_empty() => format!("{line}\n(no output)\n"),
        Shown::Whole(output) => format!("{line}\n{output}"),
        Shown::Cut { head, head_bytes, tail, tail_bytes } => {
            let cut = total.saturating_sub(head_bytes + tail_bytes);
            let line_end = if head.ends_with('\n') { "" } else { "\n" };
            format!(
                "{line}\n[{total} bytes of output: the first {head_bytes} and the last {tail_bytes} are shown{note}]\n\
                 {head}{line_end}[cut: {cut} bytes]\n{tail}"
            )
        }
    }
}

fn artifact_note(output: &Capture, id: ArtifactId) -> String {
    if output.kept() == output.total() {
        format!("; read_artifact has all of it as {id}")
    } else {
        format!("; read_artifact has the first {} bytes as {id}, the rest is lost", output.kept())
    }
}

fn artifact(output: Capture, command: &Command<'_>, id: ArtifactId) -> NewArtifact {
    let command: String = command.script.chars().take(MAX_SUMMARY).collect();
    let (total, kept) = (output.total(), output.kept());
    let part = if kept == total { String::new() } else { format!(", the first {}", size(kept)) };
    NewArtifact {
        id,
        media_type: "text/plain".into(),
        summary: format!("output of `{command}` ({}{part})", size(total)),
        bytes: output.into_kept().into(),
    }
}
