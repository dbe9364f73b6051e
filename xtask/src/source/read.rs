//! Reads the repository from disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};

use super::members;
use super::tree::Tree;

/// Reads every text file that is tracked, or would be with the next commit, and asks cargo for the members.
pub(crate) fn read_tree(root: &Path) -> anyhow::Result<Tree> {
    let mut texts = BTreeMap::new();
    for path in tracked(root)? {
        if let Some(text) = read_text(&root.join(&path)).with_context(|| format!("{path} cannot be read"))? {
            texts.insert(path, text);
        }
    }
    let tree = Tree::new(texts, members::read(root)?);
    // With nothing to look at every check would pass.
    ensure!(tree.sources().next().is_some(), "no Rust source found below {}", root.display());
    Ok(tree)
}

fn tracked(root: &Path) -> anyhow::Result<Vec<String>> {
    let output = Command::new("git")
        // The repository may belong to another user than the one who checks it, as in a container.
        .args(["-c", "safe.directory=*"])
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git cannot be started: it is needed to list the files of the repository")?;
    ensure!(
        output.status.success(),
        "git ls-files failed: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let listed = String::from_utf8_lossy(&output.stdout);
    Ok(listed.split_terminator('\0').map(str::to_owned).collect())
}

/// None for what is no text: a binary file, a link, or a file that is tracked and deleted.
fn read_text(path: &Path) -> anyhow::Result<Option<String>> {
    if !fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(None);
    }
    Ok(String::from_utf8(fs::read(path)?).ok().filter(|text| !text.contains('\0')))
}
