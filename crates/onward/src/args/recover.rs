//! `onward recover`: what would be done, without doing it.

use clap::Args;
use onward_event::SessionId;

use super::Named;

/// Say what would become of a session that was cut off, and why
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct RecoverArgs {
    /// The session; the latest one of this folder when left out
    #[arg(value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Only say it; to do it is `onward resume`
    #[arg(long, required = true)]
    pub(crate) dry_run: bool,

    /// As if the log had ended with this record
    #[arg(long, value_name = "SEQ", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) at: Option<u64>,

    /// Write JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

const AFTER: &str = "\
Goes through everything that is open (turn, step, attempt, calls, questions, messages, runs that
go on) and says what the next owner would do with each, and why. Nothing is written and nothing is
taken over: the session may be owned by another process, and the store may be read-only. What can
only be found out in the world, such as the end of a command, is not looked up: the plan says how
it will be.

Examples:
  onward recover --dry-run
  onward recover --dry-run --at 17 ses_01h455vb4pex5vsknk084sn02q
  onward recover --dry-run --json";
