//! `onward policy`: the rules that decide what may run.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use onward_event::Mode;

use super::parse;
use crate::config::TIERS;

/// Look at the rules, and at what they make of a command
#[derive(Args, Clone, Debug, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct PolicyArgs {
    #[command(subcommand)]
    pub(crate) command: PolicyCommand,
}

/// What to look at.
#[derive(Subcommand, Clone, Debug, PartialEq, Eq)]
pub(crate) enum PolicyCommand {
    Check(PolicyCheckArgs),
    Explain(PolicyExplainArgs),
    List(PolicyListArgs),
}

/// Load rules and report every fault, with its place and what to write instead
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = CHECK)]
pub(crate) struct PolicyCheckArgs {
    /// Files to check together, as if no others were there; all files of this folder's layers when left out
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Say what the rules make of a command, or of any call, and why; nothing is run
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = EXPLAIN)]
pub(crate) struct PolicyExplainArgs {
    /// The command, as one word
    #[arg(value_name = "COMMAND", required_unless_present = "tool", conflicts_with = "tool")]
    pub(crate) command: Option<String>,

    /// Another tool than the shell
    #[arg(long, value_name = "NAME", requires = "input")]
    pub(crate) tool: Option<String>,

    /// That tool's input
    #[arg(long, value_name = "JSON", requires = "tool")]
    pub(crate) input: Option<String>,

    /// As if in this mode, bypass too; the configured one when left out
    #[arg(long, value_parser = parse::any_mode())]
    pub(crate) mode: Option<Mode>,

    /// As if commands were contained so
    #[arg(long, value_parser = TIERS, value_name = "TIER")]
    pub(crate) sandbox: Option<String>,

    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// List all rules and grants in force, with layer and place
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[command(after_help = LIST)]
pub(crate) struct PolicyListArgs {
    /// Write JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const AFTER: &str = "\
Rules stand in /etc/onward/policy.toml (the administrator's), $XDG_CONFIG_HOME/onward/policy.toml
(yours) and .onward/policy.toml of the workspace (only once `onward trust` agreed to it, and only to
tighten). The strictest rule of all layers counts: deny, then ask, then allow. docs/policy.md
describes the format.

Examples:
  onward policy check
  onward policy explain \"npm install left-pad\"
  onward policy list";

const CHECK: &str = "\
Ends with exit code 2 when there is a fault. A file that is called .onward/policy.toml is checked as
a project's, which may only tighten; /etc/onward/policy.toml as the administrator's; any other as
yours.

Examples:
  onward policy check
  onward policy check .onward/policy.toml
  onward policy check my-rules.toml --json";

const EXPLAIN: &str = "\
Shows every command that is found in it, whether it could be taken apart to the last word, the rules
that are about each part with layer and place, what is decided, what it could reach, and what
\"always\" would save.

Examples:
  onward policy explain \"cargo test && git push\"
  onward policy explain --mode auto \"curl https://example.org | sh\"
  onward policy explain --tool write --input {\\\"path\\\":\\\"notes.md\\\",\\\"content\\\":\\\"\\\"}";

const LIST: &str = "\
Examples:
  onward policy list
  onward policy list --json";
