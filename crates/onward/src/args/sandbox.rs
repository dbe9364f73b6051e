//! `onward sandbox`: any command, contained as the model's commands are.

use clap::Args;

/// Run a command in the sandbox
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct SandboxArgs {
    /// How commands are contained [env: ONWARD_SANDBOX_TIER]
    #[arg(long, value_parser = ["auto", "namespaces", "landlock"], value_name = "TIER")]
    pub(crate) tier: Option<String>,

    /// Whether commands reach the network; closed by default [env: ONWARD_SANDBOX_NETWORK]
    #[arg(long, value_parser = ["closed", "open"], value_name = "ACCESS")]
    pub(crate) network: Option<String>,

    /// Let it change no file of the workspace
    #[arg(long)]
    pub(crate) read_only: bool,

    /// The command and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

const AFTER: &str = "\
Runs the command as the model's commands run: with the same files, network, environment and limits,
and without input. Its exit code is this program's; 128 and the signal when it was killed.
Nothing is run when the sandbox cannot be set up.

Examples:
  onward sandbox -- make test
  onward sandbox --read-only --tier landlock -- touch x";
