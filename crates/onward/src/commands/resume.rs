//! `onward resume`: go on where a session stopped.

use onward_event::{Part, Target, TurnTerminal};
use onward_port::SessionSummary;
use onward_runtime::load;

use super::settings::change_settings;
use super::start::{Start, is_held};
use crate::args::ResumeArgs;
use crate::compose::{App, store_error};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;

pub(super) async fn run(start: Start, args: ResumeArgs) -> Result<ExitCode, CliError> {
    let app = start.app(&args.settings)?;
    let summary = app.find(args.session, &start.dir()).await?;
    if is_held(&summary) {
        let message =
            format!("session {} is worked on by another process; nothing was changed", summary.session);
        let hint = format!(
            "`onward log {0} --follow` shows it, `onward send --session {0}` speaks to it",
            summary.session
        );
        return Err(CliError::new(ErrorKind::Owned, message).with_hint(hint));
    }
    change_settings(&app, &summary, &args.settings).await?;
    start.could_work(&app, &app.find(Some(summary.session.into()), &start.dir()).await?, args.output)?;
    if let Some(why) = go_on(&app, &summary).await? {
        tell!(
            "nothing to go on with: {why}; `{} send --session {} \"…\"` asks for more",
            app.program,
            summary.session
        );
        return Ok(ExitCode::Completed);
    }
    let summary = app.find(Some(summary.session.into()), &start.dir()).await?;
    start.work(&app, &summary, args.output).await
}

/// What a person who resumes a task that failed or was interrupted means to say.
const GO_ON: &str = "Go on with the task.";

/// Makes sure that there is something to go on with: what is open, or else a task that did not come to its end. Returns
/// why there is nothing.
async fn go_on(app: &App, summary: &SessionSummary) -> Result<Option<&'static str>, CliError> {
    let session = load(app.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
    let open = session.turn().is_some()
        || !session.continuations().is_empty()
        || session.pending_messages().any(|pending| pending.message.wakeup)
        || session.jobs().any(|job| job.is_open());
    if open {
        return Ok(None);
    }
    match session.last_end().map(|ended| ended.end.terminal) {
        None => Ok(Some("nothing was asked in this session yet")),
        Some(TurnTerminal::Completed) => Ok(Some("the last task is done")),
        Some(_) => {
            let content = vec![Part::Text(GO_ON.into())];
            let sent = app.client.send(summary.session, content, Target::NextTurn, true);
            sent.await.map_err(store_error)?;
            Ok(None)
        }
    }
}
