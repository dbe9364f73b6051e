//! `onward send`: say something to a session, whoever works on it.

use clap::Args;
use onward_event::SessionId;

use super::{Named, OutputArgs};

/// Send a message to a session, also while another process works on it
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct SendArgs {
    /// The message
    #[arg(value_name = "TEXT")]
    pub(crate) text: String,

    /// The session; the latest one of this folder when left out
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    /// Deliver with the next step of the running turn, and start work if nothing runs (the default)
    #[arg(long, group = "delivery")]
    steer: bool,

    /// Deliver with the next step, and start nothing
    #[arg(long, group = "delivery")]
    inject: bool,

    /// Deliver as a task of its own, when the running one is done
    #[arg(long, group = "delivery")]
    follow_up: bool,

    /// Only record it: do not work on the session, even if nobody else does
    #[arg(long)]
    pub(crate) no_run: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// When a message is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// With the next step; starts work if nothing runs.
    Steer,
    /// With the next step; starts nothing.
    Inject,
    /// In a turn of its own.
    FollowUp,
}

impl SendArgs {
    /// When the message is delivered.
    pub(crate) fn delivery(&self) -> Delivery {
        // At most one of the three: they are one group. Steering is what happens without any.
        match (self.inject, self.follow_up) {
            (true, _) => Delivery::Inject,
            (false, true) => Delivery::FollowUp,
            (false, false) => Delivery::Steer,
        }
    }
}

const AFTER: &str = "\
The message is on disk when the command says so; it cannot be lost after that. If nobody works
on the session, this command does, until it is quiet, unless told --no-run.

Examples:
  onward send \"leave the public interface as it is\"
  onward send --follow-up \"then write the release notes\"
  onward send --inject --no-run \"the build machine is slow today\"";
