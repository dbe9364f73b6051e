//! `onward reconcile`: say what became of a call whose outcome is unknown.

use onward_event::{ReconciliationResolved, ResolvedVerdict};

use super::answerable::{Unsettled, sessions_here, unclear, unsettled};
use super::first::{is_word, word_on};
use super::start::{Start, is_held};
use crate::args::{ReconcileArgs, SettingArgs};
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::{printable, tell};

pub(super) async fn run(start: Start, args: ReconcileArgs) -> Result<ExitCode, CliError> {
    let app = start.app(&SettingArgs::default())?;
    let (Unsettled { summary, open: call, name, about }, verdict) = find(&start, &app, &args).await?;
    let records_only = is_held(&summary) || args.no_run;
    if !records_only {
        start.could_work(&app, &summary, args.output)?;
    }
    let evidence = args.evidence.clone().unwrap_or_default();
    app.client.reconcile(summary.session, call, verdict, evidence.clone()).await.map_err(store_error)?;
    let ours = ReconciliationResolved { call, verdict, evidence };
    is_word(&app, summary.session, summary.head.seq, &ours).await?;
    tell!("recorded in {}: {name} {}: {}", summary.session, words(verdict), printable(&about));
    if records_only {
        return Ok(ExitCode::Completed);
    }
    start.work(&app, &summary, args.output).await
}

/// Sessions whose logs are looked through for an outcome that is not open any more: the latest ones.
const LOOKED_AT: usize = 16;

fn words(verdict: ResolvedVerdict) -> &'static str {
    match verdict {
        ResolvedVerdict::Applied => "did happen",
        ResolvedVerdict::NotApplied => "did not happen",
        ResolvedVerdict::GoOn => "stays unknown, and the work goes on",
    }
}

/// The call that is meant, and what is said about it. What somebody has found out is about one call, so it has to be
/// named, even where there is only one.
async fn find(
    start: &Start,
    app: &App,
    args: &ReconcileArgs,
) -> Result<(Unsettled, ResolvedVerdict), CliError> {
    let sessions = match (args.session, args.call) {
        (None, Some(_)) => app.sessions().await?,
        (session, _) => sessions_here(start, app, session).await?,
    };
    let commands = |open: &Unsettled| {
        let how = ["--applied", "--not-applied", "--go-on"];
        how.map(|how| format!("{} reconcile {} {how}", app.program, open.name)).to_vec()
    };
    let all = unsettled(app, &sessions).await?;
    let Some(named) = args.call else {
        let (kind, message) = match all.len() {
            0 => (ErrorKind::NotFound, "nothing here has an unknown outcome"),
            _ => (ErrorKind::Usage, "no call is named, so nothing was settled"),
        };
        return Err(unclear(kind, message, &all, commands));
    };
    let (mut fitting, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|open| named.fits(open.open));
    let settles = args.verdict().filter(|_| fitting.len() == 1);
    if let Some(verdict) = settles
        && let Some(only) = fitting.pop()
    {
        return Ok((only, verdict));
    }
    if let (true, Some(call)) = (fitting.is_empty(), named.whole()) {
        for summary in sessions.iter().take(LOOKED_AT) {
            if let Some(settled) = word_on(app, summary.session, call).await? {
                let message = format!("{named} {settled}; that counts, and nothing was recorded here");
                return Err(CliError::new(ErrorKind::NotFound, message)
                    .with_hint(format!("`{} show {}` says what came of it", app.program, summary.session)));
            }
        }
    }
    let (kind, message) = match fitting.len() {
        0 => (
            ErrorKind::NotFound,
            format!("the outcome of {named} is not open: it is known, settled, or there is no such call"),
        ),
        1 => (ErrorKind::Usage, "what became of it is not said, so nothing was settled".to_owned()),
        several => (ErrorKind::Usage, format!("{several} calls begin with {named}, so nothing was settled")),
    };
    let listed = if fitting.is_empty() { others } else { fitting };
    Err(unclear(kind, message, &listed, commands))
}
