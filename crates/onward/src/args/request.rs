//! `onward request`: what the model was sent.

use clap::{Args, Subcommand};
use onward_event::AttemptId;

use super::Named;

/// Look at the requests that the model was sent
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct RequestArgs {
    #[command(subcommand)]
    pub(crate) command: RequestCommand,
}

/// What to do with a request.
#[derive(Subcommand, Clone, Debug, PartialEq, Eq)]
pub(crate) enum RequestCommand {
    /// Rebuild a request from the log, byte for byte, and write it out
    #[command(after_help = AFTER)]
    Show {
        /// The attempt that sent it; `onward log` names attempts
        #[arg(value_name = "ATTEMPT")]
        attempt: Named<AttemptId>,
    },
}

const AFTER: &str = "\
Examples:
  onward request show att_01h455vb4pex5vsknk084sn02q";
