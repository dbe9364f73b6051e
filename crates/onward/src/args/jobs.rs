//! `onward jobs`: what runs in the background.

use clap::{Args, Subcommand};
use onward_event::{JobId, SessionId};

use super::Named;

/// List the jobs of a session, show what one says, end one
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER, args_conflicts_with_subcommands = true)]
pub(crate) struct JobsArgs {
    #[command(subcommand)]
    pub(crate) command: Option<JobsCommand>,

    /// The session; the latest one of this folder when left out
    #[arg(value_name = "ID", conflicts_with = "all")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Every session of every folder
    #[arg(long)]
    pub(crate) all: bool,

    /// Write JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to do with one job.
#[derive(Subcommand, Clone, Debug, PartialEq, Eq)]
pub(crate) enum JobsCommand {
    /// Show what a job has said so far, or said until its end
    Output {
        /// The job
        #[arg(value_name = "JOB")]
        job: Named<JobId>,

        /// Go on showing what it says until it ends
        #[arg(long)]
        follow: bool,
    },
    /// End a job with all its processes
    Cancel {
        /// The job
        #[arg(value_name = "JOB")]
        job: Named<JobId>,

        /// Only record it: do not work on the session, even if nobody else does
        #[arg(long)]
        no_run: bool,
    },
}

const AFTER: &str = "\
A job is a command that goes on when its call is answered. It runs under a supervisor of its own, so
it also goes on when this process is killed; whoever works on the session next hears of its end.

Examples:
  onward jobs
  onward jobs --all
  onward jobs output job_01h455vb4pex5vsknk084sn02q --follow
  onward jobs cancel job_01h455vb4pex5vsknk084sn02q";
