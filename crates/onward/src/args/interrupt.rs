//! `onward interrupt`: stop what is being done.

use clap::Args;
use onward_event::SessionId;

use super::Named;

/// Stop the running turn of a session
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct InterruptArgs {
    /// The session; the latest one of this folder when left out
    #[arg(value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,
}

const AFTER: &str = "\
Running calls are stopped and recorded as what they are: cancelled, or of unknown outcome. The
session is kept; `onward send` or `onward resume` goes on.

Examples:
  onward interrupt
  onward interrupt ses_01h455vb4pex5vsknk084sn02q";
