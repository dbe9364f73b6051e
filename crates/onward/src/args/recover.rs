//! `onward recover`: what would be done, without doing it; and the way on when records are lost or damaged.

use clap::Args;
use onward_event::SessionId;

use super::Named;

/// Say what would become of a session that was cut off, and why
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct RecoverArgs {
    /// The session; when left out, the latest one of this folder, and for --accept-loss every one
    #[arg(value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Only say it; to do it is `onward resume`
    #[arg(long, required_unless_present = "accept_loss")]
    pub(crate) dry_run: bool,

    /// Go on with what is whole: of a store that has lost its end, and of sessions with damaged records
    #[arg(long, conflicts_with_all = ["dry_run", "at", "json"])]
    pub(crate) accept_loss: bool,

    /// With --accept-loss: give up whole records too, from this one on
    #[arg(long, value_name = "SEQ", requires_all = ["accept_loss", "session"])]
    pub(crate) from: Option<u64>,

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

A damaged record ends the plan: it holds for the whole records before it, the damage is named, and
the exit code is 1.

With --accept-loss, a store whose end is missing is used again, and so is a session whose records
are damaged. Every command that writes refuses it until then: what is missing was acknowledged, may
have been done, and may be done again. Restoring a copy is better. What is left of the write-ahead
log is kept beside the database. Damaged records are taken out of their log, from the first one's
append on, and kept in full in a file of the folder `set-aside`. Where whole records stand behind a
damaged one, nothing is done before they are named with --from. The sessions are told. With an ID,
only that session is looked at.

Examples:
  onward recover --dry-run
  onward recover --dry-run --at 17 ses_01h455vb4pex5vsknk084sn02q
  onward recover --dry-run --json
  onward recover --accept-loss
  onward recover --accept-loss ses_01h455vb4pex5vsknk084sn02q --from 17";
