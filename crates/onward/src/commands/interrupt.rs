//! `onward interrupt`: cancel what a session is doing; the session is kept.

use onward_runtime::load;

use super::start::{Start, is_held};
use crate::args::InterruptArgs;
use crate::compose::store_error;
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::tell;

pub(super) async fn run(start: Start, args: InterruptArgs) -> Result<ExitCode, CliError> {
    let app = start.app_to_stop()?;
    let summary = app.find(args.session, &start.dir()).await?;
    let session = load(app.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
    if session.turn().is_none() && session.continuations().is_empty() {
        tell!("nothing runs in {}, so there is nothing to interrupt; nothing was recorded", summary.session);
        return Ok(ExitCode::Completed);
    }
    app.client.interrupt(summary.session).await.map_err(store_error)?;
    tell!("the interrupt is recorded in {}", summary.session);
    if is_held(&summary) {
        return Ok(ExitCode::Completed);
    }
    // Nobody works on it: what is open is ended here, so that nothing waits for a process that will not come.
    let code = start.wind_up(&app, &summary).await?;
    Ok(if code == ExitCode::Interrupted { ExitCode::Completed } else { code })
}
