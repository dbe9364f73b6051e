//! `onward demo`: see it work, without a key and without a model.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Show a whole session with a scripted model: needs no key and no network
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct DemoArgs {
    /// Keep the demonstration's workspace and sessions in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) keep: Option<PathBuf>,

    /// Kill the process in the middle of an action, and let another one go on
    #[arg(long, value_name = "WHERE", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "edit")]
    pub(crate) crash: Option<CrashPoint>,
}

/// Where the demonstration is killed.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CrashPoint {
    /// While a file is edited: afterwards its content tells what happened
    Edit,
    /// While a command runs: it goes on under its supervisor, and the next process records its true result
    Shell,
}

const AFTER: &str = "\
Examples:
  onward demo
  onward demo --crash
  onward demo --crash=shell --keep ./demo";
