//! `onward log`: everything that happened.

use clap::Args;
use onward_event::SessionId;
use onward_wire::Cursor;

use super::Named;

/// Show everything that happened in a session
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct LogArgs {
    /// The session; the latest one of this folder when left out
    #[arg(value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Go on showing what happens, until interrupted
    #[arg(long)]
    pub(crate) follow: bool,

    /// Start after this cursor, as in 42-1a2b3c4d
    #[arg(long, value_name = "CURSOR")]
    pub(crate) after: Option<Cursor>,

    /// Write events as JSON, one object a line (protocol onward.wire/1)
    #[arg(long)]
    pub(crate) json: bool,
}

const AFTER: &str = "\
A cursor is the number of a record and the first digits of its hash. If the log has another
record under that number now, the command says so instead of showing a history with a seam.

Examples:
  onward log
  onward log ses_01h455vb4pex5vsknk084sn02q --follow
  onward log --json --after 42-1a2b3c4d";
