//! The program under test.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

/// The one that was named, or the release build; built as for the benchmarks when it is not there.
pub(super) fn find(root: &Path, named: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(path) = named {
        return path
            .canonicalize()
            .with_context(|| format!("{} is not there, nothing was started", path.display()));
    }
    let binary = root.join("target/release/onward");
    if !binary.is_file() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let words = ["build", "--release", "--workspace", "--quiet"];
        let status = Command::new(cargo).args(words).current_dir(root).status();
        let status = status.context("cargo cannot be started")?;
        ensure!(status.success(), "`cargo {}` failed, nothing was started", words.join(" "));
    }
    Ok(binary)
}
