//! `onward approve`: let a call run.

use std::time::Duration;

use clap::Args;
use onward_event::{ApprovalId, SessionId};

use super::{Named, OutputArgs, duration};

/// Approve a call that waits for an answer
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct ApproveArgs {
    /// The question; the only open one of this folder when left out
    #[arg(value_name = "APPROVAL")]
    pub(crate) approval: Option<Named<ApprovalId>>,

    /// The session; the only one of this folder that waits when left out
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Approve the same call for the rest of the session, not only once
    #[arg(long)]
    pub(crate) for_session: bool,

    /// As for the session, and add the grant that `onward show` proposes to your own policy.toml
    #[arg(long, conflicts_with = "for_session")]
    pub(crate) always: bool,

    /// Let it count for so long only, as in 30m, 8h or 2d; the grant of --always, too
    ///
    /// An approval that no call has used by then is asked about again. A grant that is over stays in your policy.toml and
    /// answers nothing; `onward policy list` says so.
    #[arg(long, value_name = "SPAN", value_parser = duration::span)]
    pub(crate) valid_for: Option<Duration>,

    /// Only record it: do not work on the session, even if nobody else does
    #[arg(long)]
    pub(crate) no_run: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const AFTER: &str = "\
`onward show` shows what is asked: the exact command, or the change as a diff. An approval holds
for exactly that; if the call or the rules change, it is asked again.

Examples:
  onward approve
  onward approve appr_01h455vb4pex5vsknk084sn02q --for-session
  onward approve --always --valid-for 8h";
