//! `onward interrupt`: cancel what a session is doing; the session is kept.

use onward_core::Session;
use onward_runtime::load;

use super::start::{Start, is_held};
use super::task::shortened;
use crate::args::InterruptArgs;
use crate::compose::{App, store_error};
use crate::error::CliError;
use crate::exit::ExitCode;
use crate::render::{content_words, tell};

pub(super) async fn run(start: Start, args: InterruptArgs) -> Result<ExitCode, CliError> {
    let app = start.app_to_stop()?;
    let summary = app.find(args.session, &start.dir()).await?;
    let session = load(app.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
    if !can_be_interrupted(&session) {
        tell!("nothing runs in {}, so there is nothing to interrupt; nothing was recorded", summary.session);
        tell_what_waits(&app, &session);
        return Ok(ExitCode::Completed);
    }
    if is_held(&summary) {
        app.client.interrupt(summary.session).await.map_err(store_error)?;
        tell!("the interrupt is recorded in {}", summary.session);
        return Ok(ExitCode::Completed);
    }
    // A task that was left in the middle has no open turn that an interrupt could be about: it gets one for it.
    if session.turn().is_some() {
        app.client.interrupt(summary.session).await.map_err(store_error)?;
        tell!("the interrupt is recorded in {}", summary.session);
    }
    // Nobody works on it: what is open is ended here, so that nothing waits for a process that will not come. What
    // waits for a turn of its own is not what was interrupted, and nobody has asked for it to begin.
    let code = start.wind_up(&app, &summary).await?;
    let session = load(app.ports.log.as_ref(), summary.session).await.map_err(store_error)?;
    tell_what_waits(&app, &session);
    Ok(if code == ExitCode::Interrupted { ExitCode::Completed } else { code })
}

/// Whether a turn is open, or a task was left in the middle that would go on by itself.
fn can_be_interrupted(session: &Session) -> bool {
    session.turn().is_some() || session.continuations().iter().any(|left| left.blocked_on.is_empty())
}

/// Messages that nobody has worked on are kept, and that is said.
fn tell_what_waits(app: &App, session: &Session) {
    let mut waits = false;
    for pending in session.pending_messages() {
        waits = true;
        tell!("kept for later: \"{}\"", shortened(&content_words(&pending.message.content)));
    }
    if waits {
        tell!("`{} resume {}` hands it over", app.program, session.id());
    }
}
