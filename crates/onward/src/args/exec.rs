//! `onward exec`: one task, without questions, to its end.

use clap::Args;
use onward_event::SessionId;

use super::{Named, OutputArgs, SettingArgs};

/// Carry out a task without a conversation, and end
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
#[command(after_help = AFTER)]
pub(crate) struct ExecArgs {
    /// The task, in words; what comes through a pipe is appended to it
    #[arg(value_name = "TASK")]
    pub(crate) task: Option<String>,

    /// Go on in this session instead of starting one
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<Named<SessionId>>,

    #[command(flatten)]
    pub(crate) settings: SettingArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

const AFTER: &str = "\
Standard input that is no terminal is read to its end and appended to the task: in a script without
input start with `</dev/null`.

The answer goes to standard output, everything else to standard error. When a call needs an
approval, the command ends with exit code 3 and says how to answer; the session is kept. All exit
codes: `onward --help`.

What is asked about follows rules: `onward policy explain COMMAND` says what they make of a command.

Examples:
  onward exec \"fix the failing test in parser.rs\"
  git diff | onward exec --mode read-only \"review this change\"
  onward exec --mode auto --budget tokens=200000,seconds=600 --json \"update the changelog\"";
