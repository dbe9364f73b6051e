//! `onward show`: how a session stands.

use clap::Args;
use onward_event::SessionId;

use super::Named;

/// Show how a session stands: what was done, what waits and how to answer
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct ShowArgs {
    /// The session; the latest one of this folder when left out
    #[arg(value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,
}

const AFTER: &str = "\
Examples:
  onward show
  onward show ses_01h455vb4pex5vsknk084sn02q";
