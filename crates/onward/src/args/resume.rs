//! `onward resume`: go on with a session.

use clap::Args;
use onward_event::SessionId;

use super::{Named, OutputArgs, SettingArgs};

/// Go on where a session stopped
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct ResumeArgs {
    /// The session; the latest one of this folder when left out
    #[arg(value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    #[command(flatten)]
    pub(crate) settings: SettingArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const AFTER: &str = "\
What had happened is read from the session's log, and what was cut off is settled first: a
finished call keeps its result, and a call that may or may not have happened is never repeated
blindly. A task that failed, was interrupted or reached a limit is taken up again. What waits for
your word goes on with `onward approve`, `reject` or `reconcile`. Settings given here hold from
here on.

Examples:
  onward resume
  onward resume ses_01h455vb4pex5vsknk084sn02q --mode accept-edits";
