//! `onward reconcile`: say what became of a call whose outcome is unknown.

use onward_core::Session;
use onward_event::{CallId, JobState};
use onward_port::SessionSummary;
use onward_runtime::load;

use super::start::{Start, is_held};
use crate::args::{ReconcileArgs, SettingArgs};
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;

pub(super) async fn run(start: Start, args: ReconcileArgs) -> Result<ExitCode, CliError> {
    let app = start.app(&SettingArgs::default())?;
    let call = app.whole(args.call, unknown).await?;
    let summary = find_call(&start, &app, &args, call).await?;
    let records_only = is_held(&summary) || args.no_run;
    if !records_only {
        start.could_work(&app, &summary, args.output)?;
    }
    let evidence = args.evidence.clone().unwrap_or_default();
    app.client.reconcile(summary.session, call, args.verdict(), evidence).await.map_err(store_error)?;
    if records_only {
        tell!("what became of {call} is recorded in {}", summary.session);
        return Ok(ExitCode::Completed);
    }
    start.work(&app, &summary, args.output).await
}

/// The calls whose outcome is unknown, as calls or as jobs.
fn unknown(session: &Session) -> Vec<CallId> {
    let jobs = session.jobs().filter(|job| job.phase == JobState::Reconciling).map(|job| job.call);
    session.unknown_calls().map(|unknown| unknown.call).chain(jobs).collect()
}

/// The session in which the call's outcome is unknown.
async fn find_call(
    start: &Start,
    app: &App,
    args: &ReconcileArgs,
    call: CallId,
) -> Result<SessionSummary, CliError> {
    let candidates = match args.session {
        Some(id) => vec![app.find(Some(id), &start.dir()).await?],
        None => app.sessions().await?,
    };
    for summary in candidates {
        let session = load(app.ports.log.as_ref(), summary.session, 0).await.map_err(store_error)?;
        if unknown(&session).contains(&call) {
            return Ok(summary);
        }
    }
    let message =
        format!("the outcome of {call} is not open: it is known, settled, or there is no such call");
    Err(CliError::new(ErrorKind::NotFound, message).with_hint("`onward show` says what a session waits for"))
}
