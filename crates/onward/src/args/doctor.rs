//! `onward doctor`: what this machine offers.

use clap::Args;

use super::SettingArgs;

/// Explain what this machine offers, and what is missing
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) settings: SettingArgs,
}

const AFTER: &str = "\
Tries each tier of the sandbox for real and says which one is in force, looks at the kernel, the data
folder, the shell and git, and for files of the workspace that are also elsewhere. Changes nothing.
Ends with exit code 1 when commands could not run here.

Examples:
  onward doctor
  onward doctor --sandbox landlock";
