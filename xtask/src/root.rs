//! Finds the root of the workspace, so that `cargo xtask` works from any folder in it.

use std::path::{Path, PathBuf};

use anyhow::Context;

/// The nearest folder, from the current one upwards, that holds the workspace.
///
/// Asked at run time: a path fixed at compile time would point at another checkout when two share a target folder.
pub(crate) fn find() -> anyhow::Result<PathBuf> {
    let here = std::env::current_dir().context("the current directory cannot be read")?;
    here.ancestors()
        .find(|folder| is_root(folder))
        .map(Path::to_path_buf)
        .with_context(|| format!("no workspace above {}: run this inside the repository", here.display()))
}

fn is_root(folder: &Path) -> bool {
    folder.join("Cargo.toml").is_file() && folder.join("xtask/Cargo.toml").is_file()
}
