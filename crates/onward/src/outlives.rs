//! Commands that outlive the process that began them: what whoever leaves is told of them, and whoever comes next.

use onward_core::{Call, Session};
use onward_event::{Seq, ToolStart};
use onward_runtime::load_records;

use crate::compose::App;
use crate::render::{Line, Style, describe_input, printable};

/// What of the open step goes on, or was cut short, when its owner has left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outlives {
    /// Under supervisors: they go on.
    pub(crate) running: Vec<String>,
    /// Within the process: what became of them is found out by whoever comes next.
    cut_short: Vec<String>,
}

impl Outlives {
    pub(crate) fn of(session: &Session) -> Self {
        let (running, cut_short): (Vec<&Call>, Vec<&Call>) = session.started_calls().partition(outlives);
        let named = |calls: Vec<&Call>| calls.into_iter().map(about).collect();
        Self { running: named(running), cut_short: named(cut_short) }
    }

    /// What whoever leaves is told.
    pub(crate) fn lines(&self, session: impl std::fmt::Display, program: &str) -> Vec<Line> {
        let mut lines = Vec::new();
        let listed = |calls: &[String]| -> Vec<Line> {
            calls.iter().map(|call| Line::new(Style::Plain, format!("    {call}"))).collect()
        };
        if !self.running.is_empty() {
            let what = match self.running.len() {
                1 => "a command goes on under its supervisor:",
                _ => "commands go on under their supervisors:",
            };
            lines.push(Line::new(Style::Strong, format!("▶ {what}")));
            lines.extend(listed(&self.running));
            for (command, does) in [
                ("resume", "waits for its end, and goes on with the task"),
                ("interrupt", "ends it, and the task"),
            ] {
                lines.push(Line::new(Style::Plain, format!("  {program} {command} {session}   {does}")));
            }
        }
        if !self.cut_short.is_empty() {
            lines.push(Line::new(
                Style::Strong,
                "! did not end in time; the next start finds out what became of it:",
            ));
            lines.extend(listed(&self.cut_short));
        }
        lines
    }
}

/// What whoever takes a session over is told before it waits for a command of an earlier process: which, and since when.
pub(crate) async fn found(app: &App, session: &Session) -> Vec<String> {
    let earlier = session.started_calls().filter(outlives);
    let mut notices = Vec::new();
    for call in earlier {
        let before = Seq(call.since.0.saturating_sub(1));
        // Without the record only its age is not known.
        let records = load_records(app.ports.log.as_ref(), session.id(), before).await.unwrap_or_default();
        let begun = records.first().map(|(record, _)| record.at);
        let age = begun.map(|at| app.ports.clock.now().millis_since(at) / 1_000);
        let since = age.map_or_else(String::new, |age| format!(", begun {age} s ago"));
        notices.push(format!(
            "waiting for a command that an earlier process left running{since}: {} (Ctrl-C ends it)",
            about(call)
        ));
    }
    notices
}

fn outlives(call: &&Call) -> bool {
    call.start().is_some_and(ToolStart::is_supervised)
}

fn about(call: &Call) -> String {
    let proposal = &call.proposal;
    format!("{} {}", printable(&proposal.name), describe_input(&proposal.name, &proposal.input))
}
