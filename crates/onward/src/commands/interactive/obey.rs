//! Commands of a conversation: the same at the prompt and while work goes on.

use onward_event::{SessionId, SettingChange};

use super::said::Said;
use super::{HELP, jobs};
use crate::compose::{App, store_error};
use crate::error::CliError;
use crate::render::say;

/// What is left to do about a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Left {
    /// Nothing.
    Nothing,
    /// The person leaves.
    Leave,
    /// These words are for the model.
    Message(String),
}

/// Does what a line says, if it is a command that is done at once.
pub(super) async fn obey(app: &App, session: SessionId, said: Said) -> Result<Left, CliError> {
    match said {
        Said::Nothing => {}
        Said::Leave => return Ok(Left::Leave),
        Said::Message(text) => return Ok(Left::Message(text)),
        Said::Help => say!("{HELP}"),
        Said::Wrong(why) => say!("{why}"),
        Said::Jobs => jobs::list(app, session).await?,
        Said::Background(call) => jobs::send_to_background(app, session, call).await?,
        Said::Mode(mode) => {
            app.client.configure(session, SettingChange::Mode(mode)).await.map_err(store_error)?;
            say!("mode {}", mode.name());
        }
    }
    Ok(Left::Nothing)
}
