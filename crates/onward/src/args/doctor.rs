//! `onward doctor`: what this machine offers.

use clap::Args;

use super::SettingArgs;
use crate::config::{NETWORKS, TIERS};

/// Explain what this machine offers, and what is missing
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct DoctorArgs {
    /// How commands are contained [env: ONWARD_SANDBOX_TIER]
    #[arg(long, value_parser = TIERS, value_name = "TIER")]
    pub(crate) sandbox: Option<String>,

    /// Whether commands reach the network; closed by default [env: ONWARD_SANDBOX_NETWORK]
    #[arg(long, value_parser = NETWORKS, value_name = "ACCESS")]
    pub(crate) network: Option<String>,
}

impl DoctorArgs {
    /// As the settings of work.
    pub(crate) fn settings(&self) -> SettingArgs {
        SettingArgs { sandbox: self.sandbox.clone(), network: self.network.clone(), ..SettingArgs::default() }
    }
}

const AFTER: &str = "\
Tries each tier of the sandbox for real and says which one is in force, looks at the kernel, the
data folder, the shell and git, and for files of the workspace that are also elsewhere. Changes
nothing. Ends with exit code 1 when commands could not run here.

Examples:
  onward doctor
  onward doctor --sandbox landlock";
