//! `onward sessions`: what there is.

use clap::Args;

/// List sessions
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct SessionsArgs {
    /// Those of every folder, not only of this one
    #[arg(long)]
    pub(crate) all: bool,

    /// Write JSON, one object a line
    #[arg(long)]
    pub(crate) json: bool,
}

const AFTER: &str = "\
Examples:
  onward sessions
  onward sessions --all --json";
