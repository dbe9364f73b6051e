//! `onward check`: whether a log is whole and keeps its promises.

use clap::Args;
use onward_event::SessionId;

use super::Named;

/// Verify that a session's log is whole and consistent
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct CheckArgs {
    /// The session; the latest one of this folder when left out
    #[arg(value_name = "ID", conflicts_with = "all")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Every session of every folder
    #[arg(long)]
    pub(crate) all: bool,
}

const AFTER: &str = "\
Checks the hashes of all records and the rules that every log keeps: that every call is answered
once, that nothing started without being allowed, that what the model saw can be rebuilt. Changes
nothing. Ends with exit code 1 when something is wrong, and names the record.

Examples:
  onward check
  onward check --all";
