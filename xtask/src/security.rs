//! `cargo xtask security`: what becomes of attacks and of ordinary work, in one table.
//!
//! This is only the launcher: what it starts is compiled together with the runtime, which the rest of xtask is not.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

/// The options, and how it is done.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// The program under test; it is built when none is named
    #[arg(long, value_name = "PATH")]
    program: Option<PathBuf>,
}

const AFTER: &str = "\
The commands are data (crates/onward-test/security). Ordinary ones are judged by the built-in rules in normal mode, and
run in each tier that this machine has. Attacks are judged, run uncontained to see that they do harm (in a folder below
target/, to that folder alone), and run in each tier, where they must not. What could not be run is named.
Ends with 1 when an attack succeeds, when more ordinary commands are held up than may be, or when one does not work.";

pub(crate) fn run(root: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let program = match &args.program {
        Some(path) => path.canonicalize().with_context(|| format!("{} is not there", path.display()))?,
        None => {
            let built = cargo(root).args(["build", "--package", "onward", "--quiet"]).status();
            ensure!(built.context("cargo cannot be started")?.success(), "the program does not build");
            root.join("target/debug/onward")
        }
    };
    let mut command = cargo(root);
    command.args(["run", "--package", "onward-test", "--example", "security", "--quiet", "--"]);
    command.arg(program).arg(root.join("target/security"));
    command.args(args.json.then_some(OsStr::new("--json")));
    let status = command.status().context("cargo cannot be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}
