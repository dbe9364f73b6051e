//! Starting cargo: the one that runs this, where there is one, so that nothing is built by two toolchains.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context, ensure};

/// Runs cargo in the folder `root` and waits for its end.
///
/// # Errors
/// When it cannot be started, or fails.
pub(crate) fn run(root: &Path, words: &[&str]) -> anyhow::Result<()> {
    let status = cargo(words).current_dir(root).status().context("cargo cannot be started")?;
    ensure!(status.success(), "`cargo {}` failed, nothing else was started", words.join(" "));
    Ok(())
}

/// What cargo writes on standard output when it is run in the folder `root`.
///
/// # Errors
/// When it cannot be started, or fails.
pub(crate) fn output(root: &Path, words: &[&str]) -> anyhow::Result<Vec<u8>> {
    let output = cargo(words).current_dir(root).output().context("cargo cannot be started")?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "`cargo {}` failed: {}", words.join(" "), said.trim());
    Ok(output.stdout)
}

/// Builds a tool that is an example of a member and becomes as good as it: same folder, same words, same verdict.
///
/// Such a tool is compiled together with the runtime, which the rest of xtask is not. `words` says to cargo which it is.
///
/// # Errors
/// When cargo cannot be started.
pub(crate) fn run_example(
    words: &[&str],
    passed_on: impl IntoIterator<Item = impl AsRef<OsStr>>,
) -> anyhow::Result<ExitCode> {
    let mut command = cargo(&["run", "--quiet"]);
    command.args(words).arg("--").args(passed_on);
    let status = command.status().context("cargo cannot be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cargo(words: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(words);
    command
}
