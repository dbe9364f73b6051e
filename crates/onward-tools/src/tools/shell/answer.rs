//! What the model is told about a command that has ended.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use onward_event::{ArtifactId, Part, ResultMetadata, ResultStatus};
use onward_port::{Followed, FollowedEnd, NewArtifact, ToolOutcome, ToolReport};

use super::capture::{Capture, Shown};
use super::execute::{Ended, How, Job, Left};
use super::hint::hint;
use crate::text::size;

/// Bytes of the output's end in which the reason of a failure is looked for.
const MAX_LOOKED_AT: usize = 8 << 10;
/// Characters of the command that name its artifact.
const MAX_SUMMARY: usize = 80;

/// The outcome of the call.
pub(super) fn outcome(ended: Ended, job: &Job<'_>, artifact: ArtifactId) -> ToolOutcome {
    let seconds = job.time.as_secs();
    match (ended.how, ended.left) {
        (how, Left::Running) => unknown(&ended, job, format!("{}; {STILL_RUNNING}", reason(how, seconds))),
        (How::Exited(status), left) => {
            finished(ended, job, artifact, exit_status(status), exit_line(status, left))
        }
        (how, Left::Outside) => unknown(&ended, job, format!("{}; {OUTSIDE}", reason(how, seconds))),
        (How::Lost, _) => unknown(&ended, job, reason(How::Lost, seconds)),
        (How::TimedOut, _) => {
            let line = format!("{}; {ENDED}", reason(How::TimedOut, seconds));
            finished(ended, job, artifact, ResultStatus::Timeout, line)
        }
        (How::Cancelled, _) => {
            let line = format!("{}; {ENDED}", reason(How::Cancelled, seconds));
            ToolOutcome::Cancelled { content: without_artifact(&ended.output, job, &line) }
        }
    }
}

/// What became of a job. Its output is kept whole, and shown when it is asked for.
pub(super) fn followed(ended: Ended, job: &Job<'_>, id: ArtifactId, millis: u64) -> Followed {
    let seconds = job.time.as_secs();
    let (how, status, summary) = match ended.how {
        How::Exited(status) => {
            let line = with_notes(exit_line(status, ended.left), &ended, job);
            (FollowedEnd::Completed, exit_status(status), line)
        }
        How::TimedOut => {
            let line = format!("{}; {ENDED}", reason(How::TimedOut, seconds));
            (FollowedEnd::TimedOut, ResultStatus::Timeout, line)
        }
        How::Cancelled => {
            let line = format!("{}; {ENDED}", reason(How::Cancelled, seconds));
            let status = ResultStatus::Error { code: "cancelled".into(), message: line.clone() };
            (FollowedEnd::Stopped, status, line)
        }
        How::Lost => return Followed::Unknown { evidence: reason(How::Lost, seconds) },
    };
    let bytes = ended.output.total();
    let metadata = ResultMetadata { millis, bytes, ..ResultMetadata::default() };
    let artifacts = if bytes > 0 { vec![artifact(ended.output, job, id)] } else { Vec::new() };
    let content = vec![Part::text(summary.as_str())];
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

const STILL_RUNNING: &str = "some of its processes could not be ended, and it is not known what they do";
const OUTSIDE: &str = "its process group has ended, but a process that left the group holds its output open, and it is \
                       not known what that one does";
const ENDED: &str = "every process of the command was ended. What it did until then stays done";

fn reason(how: How, seconds: u64) -> String {
    match how {
        How::Exited(status) => exit_text(status),
        How::TimedOut => format!("timed out after {seconds} s"),
        How::Cancelled => "stopped on request".into(),
        How::Lost => "the command ended, and the system would not say how".into(),
    }
}

fn exit_status(status: ExitStatus) -> ResultStatus {
    if status.success() {
        return ResultStatus::Ok;
    }
    let code = if status.signal().is_some() { "killed_by_signal" } else { "exit_code" };
    ResultStatus::Error { code: code.into(), message: exit_text(status) }
}

fn exit_line(status: ExitStatus, left: Left) -> String {
    let text = exit_text(status);
    match left {
        Left::Nothing | Left::Running => text,
        Left::Ended => format!("{text}; processes that it left in the background were ended"),
        Left::Outside => format!(
            "{text}; a process that left the command's process group holds its output open and goes on"
        ),
    }
}

fn exit_text(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}{}", signal_name(signal)),
        (None, None) => "ended".into(),
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

fn unknown(ended: &Ended, job: &Job<'_>, line: String) -> ToolOutcome {
    ToolOutcome::Unknown { content: without_artifact(&ended.output, job, &line) }
}

fn finished(ended: Ended, job: &Job<'_>, id: ArtifactId, status: ResultStatus, line: String) -> ToolOutcome {
    let line = with_notes(line, &ended, job);
    let output = ended.output;
    let shown = output.shown(job.limits.max_output_bytes);
    let truncated = matches!(shown, Shown::Cut { .. });
    let note = if truncated { artifact_note(&output, id) } else { String::new() };
    let metadata = ResultMetadata { bytes: output.total(), truncated, ..ResultMetadata::default() };
    let text = text(&line, &shown, output.total(), &note);
    let artifacts = if truncated { vec![artifact(output, job, id)] } else { Vec::new() };
    ToolOutcome::Finished(ToolReport { status, content: vec![Part::Text(text)], metadata, artifacts })
}

/// The line about the end, with what was put back and whether the sandbox may be why it failed.
fn with_notes(line: String, ended: &Ended, job: &Job<'_>) -> String {
    let failed = matches!(ended.how, How::Exited(status) if !status.success());
    let hint = if failed { hint(job.sandbox, &ended.output.end(MAX_LOOKED_AT)) } else { None };
    let notes = ended.restored.iter().cloned().chain(hint);
    notes.fold(line, |line, note| format!("{line}\n[{note}]"))
}

fn without_artifact(output: &Capture, job: &Job<'_>, line: &str) -> String {
    text(line, &output.shown(job.limits.max_output_bytes), output.total(), "")
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

fn artifact(output: Capture, job: &Job<'_>, id: ArtifactId) -> NewArtifact {
    let command: String = job.command.chars().take(MAX_SUMMARY).collect();
    let (total, kept) = (output.total(), output.kept());
    let part = if kept == total { String::new() } else { format!(", the first {}", size(kept)) };
    NewArtifact {
        id,
        media_type: "text/plain".into(),
        summary: format!("output of `{command}` ({}{part})", size(total)),
        bytes: output.into_kept().into(),
    }
}
