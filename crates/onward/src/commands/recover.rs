//! `onward recover --dry-run`: what a new owner would do with a session, and why. Writes nothing, owns nothing.

use std::io::{IsTerminal as _, Write as _};

use onward_core::{Item, Planned, Session, Then, recovery_plan};
use onward_event::{Record, Seq};
use onward_port::{Clock as _, Log as _, LogError, OwnerState, SessionSummary};
use onward_runtime::{RecordReader, SystemClock};
use onward_sqlite::SqliteStore;
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
    let cut = Cut::read(&store, &summary, args.at).await?;
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
    // The plan is about what is whole: that the log has more is what a person has to know first of all.
    cut.damage.map_or(Ok(ExitCode::Completed), |damage| Err(store_error(damage)))
}

/// The log up to where it is taken to end.
struct Cut {
    records: Vec<Record>,
    /// How many there really are.
    of: Seq,
    /// An append is all or nothing, so no crash leaves a log that ends between two records of one.
    within_append: bool,
    /// What is wrong with the record that would be next, when nobody asked for an earlier end.
    damage: Option<LogError>,
}

impl Cut {
    /// Reads no further than asked: what is damaged behind that is no business of the plan.
    async fn read(store: &SqliteStore, summary: &SessionSummary, at: Option<u64>) -> Result<Self, CliError> {
        let of = summary.head.seq;
        let at = Seq(at.unwrap_or(of.0));
        if at > of {
            return Err(CliError::new(ErrorKind::NotFound, format!("the log ends with record {of}"))
                .with_hint("leave --at out to see what would be done now"));
        }
        let (mut records, mut reader) = (Vec::new(), RecordReader::new(store, summary.session, Seq(0)));
        let mut damage = None;
        // With the record behind it, which says whether an append ends here.
        while reader.position() <= at {
            match reader.next_page().await {
                Ok(page) if page.is_empty() => break,
                Ok(page) => records.extend(page.into_iter().map(|(record, _)| record)),
                Err(error) => {
                    damage = Some(error);
                    break;
                }
            }
        }
        // What was appended since the session was looked up is not of it.
        let reached = reader.position().min(at);
        match damage {
            Some(error) if reached == Seq(0) => return Err(store_error(error)),
            Some(_) if reached == at => damage = None,
            _ => {}
        }
        let append =
            |seq: Seq| records.iter().find(|record: &&Record| record.seq == seq).map(|record| &record.append);
        let within_append = reached < of && append(reached) == append(reached.next());
        records.retain(|record| record.seq <= reached);
        Ok(Self { records, of, within_append, damage })
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
    if cut.damage.is_some() {
        let note = format!(
            "record {} is damaged: this is what would follow if the log ended before it",
            cut.at().next()
        );
        lines.push(Line::new(Style::Bad, note));
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
        "damaged": cut.damage.is_some(),
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
