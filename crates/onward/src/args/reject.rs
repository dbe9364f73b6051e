//! `onward reject`: do not let a call run.

use clap::Args;
use onward_event::{ApprovalId, SessionId};

use super::{Named, OutputArgs};

/// Reject a call that waits for an answer
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct RejectArgs {
    /// The question; the only open one of this folder when left out
    #[arg(value_name = "APPROVAL")]
    pub(crate) approval: Option<Named<ApprovalId>>,

    /// The session; the only one of this folder that waits when left out
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Tell the model why, or what to do instead
    #[arg(long, value_name = "TEXT")]
    pub(crate) feedback: Option<String>,

    /// Only record it: do not work on the session, even if nobody else does
    #[arg(long)]
    pub(crate) no_run: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const AFTER: &str = "\
The call does not run; the model is told, with your words, and goes on without it.

Examples:
  onward reject
  onward reject appr_01h455vb4pex5vsknk084sn02q --feedback \"use the staging database\"";
