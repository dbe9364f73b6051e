//! The end of a command that worked on a session: the answer on standard output, the rest on standard error.

use std::io::Write as _;

use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{Line, Screen, Style, approval_lines, indented, prose};
use crate::stand::{Stand, waiting};
use onward_event::ApprovalRequested;
use onward_wire::{Failure, WaitKind};

/// Says how the session stands; returns the exit code.
pub(crate) fn report(screen: Screen, stand: &Stand, program: &str) -> ExitCode {
    match screen {
        Screen::Json(mut stream) => {
            if let Some(waiting) = waiting(stand) {
                stream.waiting(waiting);
            }
            stream.result(stand.outcome.clone());
        }
        Screen::Quiet(mut progress) => {
            progress.end_line();
            for line in last_lines(stand, program) {
                progress.line(&line);
            }
            answer(progress.answers());
        }
        Screen::Conversation(mut progress) => {
            progress.end_line();
            for line in last_lines(stand, program) {
                progress.line(&line);
            }
        }
    }
    stand.code
}

/// The answers of the completed turns: the data of the command.
fn answer(answers: &[String]) {
    for text in answers.iter().map(|text| text.trim_end()).filter(|text| !text.is_empty()) {
        // A reader that is gone has no use for it; it is in the log.
        let _ = writeln!(crate::render::out::stdout(), "{}", prose(text));
    }
}

/// What waits, what goes on, and how to go on.
fn last_lines(stand: &Stand, program: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    for wait in &stand.waits {
        let is_it = |asked: &&ApprovalRequested| wait.id == Some(asked.approval.to_string());
        match stand.asked.iter().find(is_it) {
            // The question says itself that it is one.
            Some(asked) => lines.extend(approval_lines(asked)),
            None => {
                lines.push(Line::new(Style::Strong, heading(wait.kind)));
                lines.extend(indented(&wait.about, Style::Plain));
            }
        }
        lines.extend(wait.answer.iter().map(|command| Line::new(Style::Plain, format!("  {command}"))));
    }
    let leaves_jobs = stand.waits.iter().any(|wait| wait.kind == WaitKind::Job);
    if stand.code == ExitCode::Completed && leaves_jobs {
        let who = format!("  whoever works on the session next looks after it: {}", stand.looks_after_jobs);
        lines.push(Line::new(Style::Dim, who));
    }
    lines.extend(stand.outlives.lines(stand.outcome.session, program));
    if stand.at_once {
        lines.push(Line::new(Style::Strong, AT_ONCE));
    }
    if stand.code != ExitCode::Completed {
        lines.push(Line::new(Style::Dim, format!("session {}", stand.outcome.session)));
    }
    // Whoever was told what goes on was told that as well.
    if stand.code != ExitCode::Completed && stand.resumable && stand.outlives.running.is_empty() {
        lines.push(Line::new(Style::Dim, format!("resume with: {}", stand.outcome.resume)));
    }
    lines
}

/// What is said when there was no time for an orderly end.
const AT_ONCE: &str = "ended at once; the next start finds out what became of what was under way";

/// What a wait is, above what it is about.
fn heading(kind: WaitKind) -> &'static str {
    match kind {
        WaitKind::Reconciliation => "! the outcome of a call is unknown:",
        WaitKind::Job => "▶ a job goes on under its supervisor:",
        WaitKind::Approval => "? waiting for an approval:",
    }
}

/// Says why there is no stand.
pub(crate) fn report_failure(
    screen: Screen,
    session: Option<onward_event::SessionId>,
    error: &CliError,
) -> ExitCode {
    match screen {
        Screen::Json(mut stream) => stream.failure(Failure {
            session,
            kind: error.kind.name().to_owned(),
            message: error.message.clone(),
            hint: error.hint.clone(),
            exit_code: error.code.number(),
        }),
        Screen::Quiet(mut progress) => {
            progress.end_line();
            // The caller prints the error.
        }
        Screen::Conversation(mut progress) => progress.end_line(),
    }
    error.code
}
