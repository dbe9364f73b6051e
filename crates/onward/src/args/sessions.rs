//! `onward sessions`: what there is.

use clap::Args;

/// List sessions
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct SessionsArgs {
    /// Every session of every folder
    #[arg(long)]
    pub(crate) all: bool,

    /// Write JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

const AFTER: &str = "\
The latest first: when it changed last, how it stands, model, folder, and the first words of its
task. docs/cli.md says what the words for how it stands mean.

Examples:
  onward sessions
  onward sessions --all --json";
