//! `onward config`: what is set, and where.

use clap::Args;

/// Show the configuration in force, and where each value comes from
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct ConfigArgs {
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const AFTER: &str = "\
Later layers win: defaults, your file ($XDG_CONFIG_HOME/onward/config.toml), the project's file
(.onward/config.toml in the workspace), ONWARD_ variables, options. A project's file can choose a
model and tighten limits and mode; it cannot say where requests go, what keys they carry, or
allow more than you do. Keys are shown as references (env:NAME, file:/path), never as values.

Examples:
  onward config
  onward config --json";
