//! `onward recover`: what would be done, without doing it; and the way on when the store has lost its end.

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
    #[arg(long, required_unless_present = "accept_loss")]
    pub(crate) dry_run: bool,

    /// Go on with a store that has lost its end, of which a damaged write-ahead log is the usual cause
    #[arg(long, conflicts_with_all = ["session", "dry_run", "at", "json"])]
    pub(crate) accept_loss: bool,

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

With --accept-loss, a store whose end is missing is used again. Every command that writes refuses it
until then: what is missing was acknowledged, may have been done, and may be done again. Restoring a
copy is better. What is left of the write-ahead log is kept beside the database, and sessions that
were being worked on are told.

Examples:
  onward recover --dry-run
  onward recover --dry-run --at 17 ses_01h455vb4pex5vsknk084sn02q
  onward recover --dry-run --json
  onward recover --accept-loss";
