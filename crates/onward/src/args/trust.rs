//! `onward trust`: let a folder's own configuration take effect.

use clap::Args;

/// Let this folder's own configuration take effect, once you have seen it
#[derive(Args, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct TrustArgs {
    /// Agree without being asked, for scripts
    #[arg(long, conflicts_with = "revoke")]
    pub(crate) yes: bool,
    /// Take the agreement back
    #[arg(long)]
    pub(crate) revoke: bool,
}

const AFTER: &str = "\
A repository can carry .onward/config.toml and .onward/policy.toml. Both can only choose a model and
tighten what is allowed, and neither has any effect until you agree. The agreement holds for exactly
these contents: when one of the files changes, it has to be given again.

Examples:
  onward trust
  onward trust --yes
  onward trust --revoke";
