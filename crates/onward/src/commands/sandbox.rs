//! `onward sandbox`: any command, contained as the model's commands are.

use std::os::unix::process::ExitStatusExt as _;

use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};
use onward_port::Executor as _;
use onward_sandbox::{Foreground, SupervisedExecutor, run_in_foreground};

use super::start::Start;
use crate::args::{SandboxArgs, SettingArgs};
use crate::compose::{SELF, SUPERVISOR, sandbox_setup, shell_environment};
use crate::error::{CliError, ErrorKind};
use crate::exit::ExitCode;
use crate::render::tell;

pub(super) fn run(start: &Start, args: SandboxArgs) -> Result<ExitCode, CliError> {
    let workspace = start.workspace()?;
    let settings = SettingArgs { sandbox: args.tier, network: args.network, ..SettingArgs::default() };
    let config = start.config(&settings)?;
    let setup = sandbox_setup(&config, &start.environment)?;
    let base = config.data_dir()?.join("executions");
    let refused = |why: String| CliError::new(ErrorKind::Sandbox, format!("{why}; nothing was run"));
    std::fs::create_dir_all(&base)
        .map_err(|error| refused(format!("{} cannot be made: {error}", base.display())))?;
    let executor = SupervisedExecutor::new(base.clone(), SELF.into(), vec![SUPERVISOR.into()], setup.clone());
    let offered = executor.containment().map_err(refused)?;
    if offered.tier == Tier::None {
        return Err(refused("the sandbox is waived (`sandbox.tier` is none)".into())
            .with_hint("`onward sandbox --tier auto` takes the strongest that there is"));
    }
    let files = if args.read_only { FileAccess::ReadOnly } else { FileAccess::WorkspaceWrite };
    let sandbox = Sandbox { tier: offered.tier, files, network: offered.network, writable: offered.writable };
    if sandbox.network == NetworkAccess::Open {
        tell!("the network is open");
    }
    let hint = closed(&sandbox);
    let command = Foreground {
        argv: args.command,
        environment: shell_environment(&start.environment, &config.shell.env_pass.value),
        dir: workspace.dir,
        workspace: workspace.root,
        sandbox,
        setup: &setup,
        notes: &base.join(".protect"),
        program: SELF.as_ref(),
    };
    let (status, restored) = run_in_foreground(command).map_err(refused)?;
    for line in restored {
        tell!("{line}");
    }
    if !status.success() {
        tell!("hint: if the sandbox is why it failed: {hint}");
    }
    let code = status.code().unwrap_or(128 + status.signal().unwrap_or(0));
    // The command's own code, which none of this program's codes can be.
    std::process::exit(code)
}

/// What the command could not do, and what would let it. Its output is not read here, so nothing is left out that may be
/// the reason.
fn closed(sandbox: &Sandbox) -> String {
    let files = match sandbox.files {
        FileAccess::ReadOnly => "it could change no files (`--read-only`)".to_owned(),
        FileAccess::WorkspaceWrite => {
            "outside the workspace, and protected names in it (such as .git/config), it could change nothing; \
             `sandbox.writable = [\"FOLDER\"]` in your config.toml opens a folder"
                .to_owned()
        }
    };
    match sandbox.network {
        NetworkAccess::Closed => format!("{files}. It had no network; `--network open` opens it"),
        NetworkAccess::Open => files,
    }
}
