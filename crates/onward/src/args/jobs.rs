//! `onward jobs`: what runs in the background.

use std::time::Duration;

use clap::{Args, Subcommand};
use onward_event::{JobId, SessionId};

use super::{Named, duration};

/// List the jobs of a session, show what one says, wait for one, end one
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

        #[command(flatten)]
        range: OutputRange,

        /// Go on showing what it says until it ends
        #[arg(long, conflicts_with = "limit")]
        follow: bool,
    },
    /// Wait for the end of a job, and say how it ended
    ///
    /// It works on nothing: whoever works on the session records the end. Exit code 0 when the job has ended, however that
    /// was; 5 when nobody can tell what became of it; 8 when it still runs after --timeout.
    Wait {
        /// The job
        #[arg(value_name = "JOB")]
        job: Named<JobId>,

        /// Wait for at most so long, as in 90s, 30m, 8h
        #[arg(long, value_name = "TIME", value_parser = duration::span)]
        timeout: Option<Duration>,

        /// Write JSON, one object
        #[arg(long)]
        json: bool,
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

/// A part of what a job has said, in bytes.
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OutputRange {
    /// Begin with this byte, counted from 0; with --limit alone, what was said last
    #[arg(long, value_name = "N")]
    pub(crate) offset: Option<u64>,

    /// Show at most so many bytes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,
}

impl OutputRange {
    /// Whether it is all that there is.
    pub(crate) fn is_whole(self) -> bool {
        self == Self::default()
    }
}

const AFTER: &str = "\
A job is a command that goes on when its call is answered. It runs under a supervisor of its own, so
it also goes on when this process is killed; whoever works on the session next hears of its end.

Examples:
  onward jobs
  onward jobs --all
  onward jobs output job_01h455vb4pex5vsknk084sn02q --follow
  onward jobs output job_01h455vb4pex5vsknk084sn02q --limit 2000
  onward jobs wait job_01h455vb4pex5vsknk084sn02q --timeout 10m
  onward jobs cancel job_01h455vb4pex5vsknk084sn02q";
