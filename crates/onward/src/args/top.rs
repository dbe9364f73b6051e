//! The command line as clap sees it.

use clap::Parser;
use onward_event::SessionId;

use super::{Command, Named, OutputArgs, PlaceArgs, SettingArgs};

/// A coding agent that goes on after being killed, with the true state of every action
///
/// Without a command: a conversation in this folder. If an earlier one was interrupted, it offers to go on.
#[derive(Parser, Debug)]
#[command(name = "onward", version, max_term_width = 100, subcommand_help_heading = "Commands")]
pub(super) struct Top {
    #[command(subcommand)]
    pub(super) command: Option<Command>,

    /// Carry out this task without a conversation: the same as `onward exec TASK`
    #[arg(short, long, value_name = "TASK")]
    pub(super) print: Option<String>,

    /// Go on in this session instead of starting one
    #[arg(long, value_name = "ID")]
    pub(super) session: Option<Named<SessionId>>,

    #[command(flatten)]
    pub(super) settings: SettingArgs,

    #[command(flatten)]
    pub(super) output: OutputArgs,

    #[command(flatten)]
    pub(super) place: PlaceArgs,
}
