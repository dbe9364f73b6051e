//! `onward background`: go on without waiting for a command.

use clap::Args;
use onward_event::{CallId, SessionId};

use super::Named;

/// Let a running command go on as a job, and the model without it
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct BackgroundArgs {
    /// The call; the only command that runs when left out
    #[arg(value_name = "CALL")]
    pub(crate) call: Option<Named<CallId>>,

    /// The session; the latest one of this folder when left out
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,
}

const AFTER: &str = "\
The command is not touched: it runs on under its supervisor, with the time limit that it has. Its
call is answered with a job at once, and the model is told when the job ends.

Examples:
  onward background
  onward background call_01h455vb4pex5vsknk084sn02q";
