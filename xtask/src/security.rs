//! `cargo xtask security`: what becomes of attacks and of ordinary work, in one table.
//!
//! This is only the launcher: what it starts is an example of onward-test.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use crate::cargo;

/// The options, and how it is done.
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub(crate) struct Args {
    /// Print everything as JSON
    #[arg(long)]
    json: bool,
    /// The program under test; without it target/debug/onward, which is brought up to date
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

const AFTER: &str = "\
The commands are data (crates/onward-test/security). Ordinary ones are judged by the built-in rules in normal mode, and \
what was decided is run in each tier that this machine has. Attacks are judged, run uncontained to see that they do harm \
(in a folder below target/, to that folder alone), and run in each tier, where they must not. Both are done in sessions of \
`onward exec`, too. What could not be run is named.

The exit code is 1 when an attack succeeds, when more ordinary commands are held up than may be, or when one does not \
work.";

pub(crate) fn run(root: &Path, args: &Args) -> anyhow::Result<ExitCode> {
    let program = match &args.program {
        Some(path) => path.canonicalize().with_context(|| format!("{} is not there", path.display()))?,
        None => {
            cargo::run(root, &["build", "--package", "onward", "--quiet"])?;
            root.join("target/debug/onward")
        }
    };
    let mut words = vec![program.into_os_string(), root.join("target/security").into_os_string()];
    words.extend(args.json.then(|| OsString::from("--json")));
    cargo::run_example(&["--package", "onward-test", "--example", "security"], words)
}
