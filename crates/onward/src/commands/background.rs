//! `onward background`: a running command goes on as a job.

use onward_core::Session;
use onward_event::CallId;
use onward_runtime::load;

use super::start::{Start, is_held};
use crate::args::{BackgroundArgs, Named, SettingArgs};
use crate::compose::store_error;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;

pub(super) async fn run(start: Start, args: BackgroundArgs) -> Result<ExitCode, CliError> {
    let app = start.app(&SettingArgs::default())?;
    let summary = app.find(args.session, &start.dir()).await?;
    let session = load(app.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
    let call = chosen(&session, args.call)?;
    app.client.background(summary.session, call).await.map_err(store_error)?;
    tell!("{call} goes on in the background; `{} jobs {}` lists jobs", app.program, summary.session);
    if !is_held(&summary) {
        tell!("nobody works on the session now; `{} resume {}` goes on", app.program, summary.session);
    }
    Ok(ExitCode::Completed)
}

/// The call that begins as it was named, or the only one, among those whose commands run.
///
/// # Errors
/// When there is none, or more than one.
pub(super) fn chosen(session: &Session, named: Option<Named<CallId>>) -> Result<CallId, CliError> {
    let calls = session.step().map_or(&[][..], |step| step.calls());
    let running: Vec<CallId> = calls
        .iter()
        .filter(|call| call.start().is_some_and(onward_event::ToolStart::is_supervised))
        .map(|call| call.proposal.call)
        .filter(|call| named.is_none_or(|named| named.fits(*call)))
        .collect();
    match running.as_slice() {
        [call] => Ok(*call),
        [] => {
            let of = named.map_or_else(String::new, |named| format!(" of {named}"));
            let message = format!("no command{of} runs; nothing was changed");
            Err(CliError::new(ErrorKind::NotFound, message))
        }
        several => {
            let names: Vec<String> = several.iter().map(ToString::to_string).collect();
            let message = format!("several commands run: {}", names.join(", "));
            Err(CliError::new(ErrorKind::Usage, message).with_hint("name one"))
        }
    }
}
