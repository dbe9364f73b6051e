//! `onward show`: a session as a conversation, and what it waits for.

use std::io::{IsTerminal as _, Write as _};

use onward_core::Session;
use onward_event::{AcceptedPart, Event, JobState, OnUnknown, Record, Seq};
use onward_runtime::load_undamaged;

use super::start::Start;
use crate::args::ShowArgs;
use crate::compose::store_error;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{
    Detail, Line, Narrator, Style, approval_lines, content_words, describe_input, indented, mode_words,
    printable, prose, settle_hint,
};
use crate::stand::HELD;

pub(super) async fn run(start: Start, args: ShowArgs) -> Result<ExitCode, CliError> {
    let app = start.look_at_sessions()?;
    let summary = app.find(args.session, &start.dir()).await?;
    let (records, whole) = load_undamaged(app.ports.log.as_ref(), summary.session, Seq(0)).await;
    if let (true, Err(damage)) = (records.is_empty(), &whole) {
        return Err(CliError::new(ErrorKind::Store, damage.to_string()));
    }
    let records: Vec<Record> = records.into_iter().map(|(record, _)| record).collect();
    let session = Session::replay(&records).map_err(|error| {
        CliError::new(ErrorKind::Store, error.to_string()).with_hint("`onward check` says more")
    })?;
    let mut lines = header(&session);
    // An open question stands at the end.
    let open = |record: &&Record| match &record.event {
        Event::ApprovalRequested(asked) => {
            session.open_approvals().any(|open| open.request.approval == asked.approval)
        }
        _ => false,
    };
    let mut narrator = Narrator::default();
    for record in &records {
        match open(&record) {
            true => {
                narrator.follow(&record.event);
            }
            false => lines.extend(conversation(record, &mut narrator)),
        }
    }
    // What is said about the end is said of the whole log only.
    if whole.is_ok() {
        lines.extend(footer(&session));
    }
    let palette = start.palette(std::io::stdout().is_terminal());
    let mut out = crate::render::out::stdout();
    for line in lines {
        // A reader that is gone wants no more lines.
        if writeln!(out, "{}", palette.paint(&line)).is_err() {
            break;
        }
    }
    whole.map(|()| ExitCode::Completed).map_err(store_error)
}

fn header(session: &Session) -> Vec<Line> {
    let spec = session.spec();
    vec![
        Line::new(Style::Strong, format!("session {}", session.id())),
        Line::new(Style::Dim, format!("  folder {}", printable(&session.workspace().dir))),
        Line::new(Style::Dim, format!("  model  {}/{}", spec.model.provider, spec.model.model)),
        Line::new(Style::Dim, format!("  mode   {}", mode_words(spec.mode))),
    ]
}

/// What a record adds to the conversation.
fn conversation(record: &Record, narrator: &mut Narrator) -> Vec<Line> {
    match &record.event {
        Event::InboxReceived(received) => {
            let words = prose(&content_words(&received.message.content));
            words.lines().map(|line| Line::new(Style::Strong, format!("> {line}"))).collect()
        }
        Event::AssistantAccepted(accepted) => {
            narrator.follow(&record.event);
            let texts = accepted.content.iter().filter_map(|part| match part {
                AcceptedPart::Text(text) => Some(text.as_str()),
                AcceptedPart::Reasoning { .. } => None,
            });
            texts
                .flat_map(|text| prose(text).lines().map(|l| Line::new(Style::Plain, l)).collect::<Vec<_>>())
                .collect()
        }
        _ => narrator.tell(record, Detail::Whole),
    }
}

fn footer(session: &Session) -> Vec<Line> {
    let mut lines = Vec::new();
    for open in session.open_approvals() {
        let asked = &open.request;
        lines.extend(approval_lines(asked));
        if let Some(grant) = &asked.always {
            lines.push(Line::new(Style::Dim, "  `onward approve --always` would add to your policy.toml:"));
            lines.extend(indented(grant, Style::Dim));
        }
        lines.push(Line::new(
            Style::Plain,
            format!("  onward approve {0}   or   onward reject {0}", asked.approval),
        ));
    }
    for unknown in session.unknown_calls() {
        lines.push(Line::new(
            Style::Strong,
            format!("! the outcome of {} is unknown: {}", unknown.call, unknown.tool),
        ));
        let input = serde_json::from_str(&unknown.input).unwrap_or_default();
        lines.push(Line::new(Style::Plain, format!("    {}", describe_input(&unknown.tool, &input))));
        lines.extend(indented(&unknown.why, Style::Dim));
        lines.extend(held(unknown.then));
        lines.push(Line::new(Style::Plain, settle_hint(&unknown.call.to_string())));
    }
    let now = session.last_change();
    for job in session.jobs().filter(|job| job.is_open()) {
        let state = if job.phase == JobState::Reconciling { "!" } else { "▶" };
        lines.push(Line::new(Style::Strong, format!("{state} {}", super::jobs::line(job, now))));
        if job.phase == JobState::Reconciling {
            lines.extend(held(job.on_unknown()));
            lines.push(Line::new(Style::Plain, settle_hint(&job.id.to_string())));
        }
    }
    if session.turn().is_some() && session.is_owned() {
        lines
            .push(Line::new(Style::Dim, "a turn is open: a process works on it, or `onward resume` goes on"));
    }
    let usage = session.usage();
    lines.push(Line::new(Style::Dim, format!("{} tokens in, {} out", usage.input, usage.output)));
    lines
}

/// Whether anybody is asked about an unknown outcome.
fn held(then: OnUnknown) -> Option<Line> {
    (then == OnUnknown::Block).then(|| Line::new(Style::Plain, format!("    {HELD}")))
}
