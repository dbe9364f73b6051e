//! `onward recover --dry-run`: what a new owner would do with a session, and why. Writes nothing, owns nothing.

use std::io::{IsTerminal as _, Write as _};

use onward_core::{Item, Planned, Session, Then, recovery_plan};
use onward_event::{Digest, Record, Seq};
use onward_port::{Clock as _, Log as _, OwnerState, SessionSummary};
use onward_runtime::{SystemClock, load_records};
use onward_wire::terminal::escaped;
use serde_json::{Value, json};

use super::start::Start;
use crate::args::RecoverArgs;
use crate::compose::{find_session, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{Line, Style, describe_input, printable};

pub(super) async fn run(start: Start, args: RecoverArgs) -> Result<ExitCode, CliError> {
    let store = start.look()?;
    let sessions = store.sessions().await.map_err(store_error)?;
    let summary = find_session(sessions, args.session, &start.dir())?;
    let records = load_records(&store, summary.session, Seq(0)).await.map_err(store_error)?;
    let cut = Cut::new(records, args.at)?;
    let session = Session::replay(&cut.records).map_err(|error| {
        CliError::new(ErrorKind::Store, format!("no process would go on with it: {error}"))
            .with_hint("`onward check` says more")
    })?;
    let plan = recovery_plan(&session, SystemClock.now());
    let palette = start.palette(std::io::stdout().is_terminal());
    let lines: Vec<String> = match args.json {
        true => json_lines(&summary, &cut, &plan),
        false => lines(&summary, &cut, &session, &plan).iter().map(|line| palette.paint(line)).collect(),
    };
    let mut out = crate::render::out::stdout();
    for line in lines {
        // A reader that is gone wants no more lines.
        if writeln!(out, "{line}").is_err() {
            break;
        }
    }
    Ok(ExitCode::Completed)
}

/// The log up to where it is taken to end.
struct Cut {
    records: Vec<Record>,
    /// How many there really are.
    of: Seq,
    /// An append is all or nothing, so no crash leaves a log that ends between two records of one.
    within_append: bool,
}

impl Cut {
    fn new(records: Vec<(Record, Digest)>, at: Option<u64>) -> Result<Self, CliError> {
        let mut records: Vec<Record> = records.into_iter().map(|(record, _)| record).collect();
        let of = records.last().map_or(Seq(0), |last| last.seq);
        let at = Seq(at.unwrap_or(of.0));
        if at > of {
            return Err(CliError::new(ErrorKind::NotFound, format!("the log ends with record {of}"))
                .with_hint("leave --at out to see what would be done now"));
        }
        let append = |seq: Seq| records.iter().find(|record| record.seq == seq).map(|record| &record.append);
        let within_append = at < of && append(at) == append(at.next());
        records.retain(|record| record.seq <= at);
        Ok(Self { records, of, within_append })
    }

    fn at(&self) -> Seq {
        self.records.last().map_or(Seq(0), |last| last.seq)
    }
}

fn lines(summary: &SessionSummary, cut: &Cut, session: &Session, plan: &[Planned]) -> Vec<Line> {
    let mut lines = vec![Line::new(
        Style::Strong,
        format!("session {} after record {} of {}", summary.session, cut.at(), cut.of),
    )];
    if let OwnerState::Held { owner } = &summary.owner {
        let note = format!("{} works on it: this is what would follow if it were gone", printable(owner));
        lines.push(Line::new(Style::Dim, note));
    }
    if cut.within_append {
        let note = format!(
            "records {} and {} are of one append: no crash leaves a log that ends between them",
            cut.at(),
            cut.at().next()
        );
        lines.push(Line::new(Style::Dim, note));
    }
    lines.extend(plan.iter().map(|planned| line(session, planned)));
    lines
}

fn line(session: &Session, planned: &Planned) -> Line {
    let mut subject = planned.item.id().unwrap_or_else(|| planned.item.kind().to_owned());
    if let Item::Notice(_) = planned.item {
        subject = format!("notice of record {subject}");
    }
    if let Item::Call { tool, .. } | Item::Unknown { tool, .. } = &planned.item {
        subject.push_str(&format!("  {}", printable(tool)));
    }
    if let Item::Call { call, .. } = &planned.item
        && let Some(call) = session.call(*call)
    {
        subject.push_str(&format!(" {}", describe_input(&call.proposal.name, &call.proposal.input)));
    }
    let style = match planned.then {
        Then::Unknown | Then::Refuse => Style::Bad,
        Then::Attach | Then::Reconcile | Then::RunAgain | Then::Authorise => Style::Strong,
        _ => Style::Plain,
    };
    let why = printable(&planned.why).replace('\n', "⏎");
    Line::new(style, format!("{:<10}  {subject}  — {why}", planned.then.name().replace('_', " ")))
}

fn json_lines(summary: &SessionSummary, cut: &Cut, plan: &[Planned]) -> Vec<String> {
    let owner = match &summary.owner {
        OwnerState::Free => "none",
        OwnerState::Held { .. } => "alive",
        OwnerState::Orphaned { .. } => "dead",
    };
    let header = json!({
        "session": summary.session,
        "after": cut.at(),
        "of": cut.of,
        "within_append": cut.within_append,
        "owner": owner,
    });
    std::iter::once(header).chain(plan.iter().map(json_line)).map(|line| escaped(&line.to_string())).collect()
}

fn json_line(planned: &Planned) -> Value {
    let mut line = json!({
        "item": planned.item.kind(),
        "then": planned.then.name(),
        "why": planned.why,
    });
    if let Some(id) = planned.item.id() {
        line["id"] = id.into();
    }
    if let Item::Call { tool, .. } | Item::Unknown { tool, .. } = &planned.item {
        line["tool"] = tool.as_str().into();
    }
    if let Item::Continuation { seq: Some(seq), .. } = &planned.item {
        line["record"] = seq.0.into();
    }
    line
}
