//! `onward reconcile`: say what became of a call that nobody can find out about by machine.

use clap::Args;
use onward_event::{CallId, JobId, ResolvedVerdict, SessionId};

use super::named::BadName;
use super::{Named, OutputArgs};

/// Settle a call that may or may not have happened
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(after_help = AFTER, group = clap::ArgGroup::new("verdict"))]
pub(crate) struct ReconcileArgs {
    /// The call, or the job; what there is to settle is listed when left out
    #[arg(value_name = "CALL", value_parser = call_or_job)]
    pub(crate) call: Option<Named<CallId>>,

    /// It had its effect
    #[arg(long, group = "verdict")]
    applied: bool,

    /// It had no effect
    #[arg(long, group = "verdict")]
    not_applied: bool,

    /// It stays unknown, and the work goes on all the same
    #[arg(long, group = "verdict")]
    go_on: bool,

    /// How you know; recorded, and told to the model
    #[arg(long, value_name = "TEXT")]
    pub(crate) evidence: Option<String>,

    /// The session; found by the call when left out
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Only record it: do not work on the session, even if nobody else does
    #[arg(long)]
    pub(crate) no_run: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

impl ReconcileArgs {
    /// What is said about the call, if anything is.
    pub(crate) fn verdict(&self) -> Option<ResolvedVerdict> {
        // At most one of the three: they are one group.
        match (self.applied, self.not_applied, self.go_on) {
            (true, _, _) => Some(ResolvedVerdict::Applied),
            (false, true, _) => Some(ResolvedVerdict::NotApplied),
            (false, false, true) => Some(ResolvedVerdict::GoOn),
            (false, false, false) => None,
        }
    }
}

/// A job is settled under the call that it is of.
fn call_or_job(text: &str) -> Result<Named<CallId>, BadName> {
    match text.starts_with("job_") {
        true => text.parse::<Named<JobId>>().map(|job| job.map(JobId::call)),
        false => text.parse(),
    }
}

const AFTER: &str = "\
A command goes on when onward is killed, and its result is found again. When its supervisor was
killed too, or the machine was restarted, nobody can tell by machine whether it had its effect. It
is never run again by itself: look, and say what you found. The answer that the model has already
seen stays as it was; your words reach it as a notice.

Examples:
  onward reconcile call_01h455vb4pex5vsknk084sn02q --applied --evidence \"the tag is on the server\"
  onward reconcile call_01h455vb4pex5vsknk084sn02q --not-applied
  onward reconcile call_01h455vb4pex5vsknk084sn02q --go-on --no-run";
