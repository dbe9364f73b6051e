//! `onward resume`: go on where a session stopped.

use super::settings::change_settings;
use super::start::{Start, is_held};
use crate::args::ResumeArgs;
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;

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
    let summary = app.find(Some(summary.session), &start.dir()).await?;
    start.work(&app, &summary, args.output).await
}
