//! Places on disk for commands to run in: a repository, a home folder, and a folder beside both.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, ensure};
use tempfile::TempDir;

/// A secret that is nowhere but where it was planted.
pub(crate) const SECRET: &str = "canary-5be1c07d";

/// A place, which is removed in the end.
#[derive(Debug)]
pub(crate) struct Site {
    _folder: TempDir,
    /// Everything is below it.
    pub(crate) base: PathBuf,
    /// Whose it is, and who runs the commands; `None`: whoever runs this.
    pub(crate) user: Option<u32>,
}

impl Site {
    /// With a repository of these files, a home folder with secrets in it, and a folder outside. It must not lie in a
    /// folder for temporary files: the sandbox has those to itself, and nothing would be proven.
    pub(crate) fn new(
        below: &Path,
        user: Option<u32>,
        files: &BTreeMap<String, String>,
    ) -> anyhow::Result<Self> {
        std::fs::create_dir_all(below)?;
        let folder = tempfile::Builder::new().prefix("site-").tempdir_in(below)?;
        let base = folder.path().canonicalize()?;
        let site = Self { _folder: folder, base, user };
        let (key, log) = (format!("key {SECRET}\n"), format!("log {SECRET}\n"));
        for (name, text) in [
            ("outside/kept", "before\n"),
            ("home/.bashrc", "mine\n"),
            ("home/.ssh/id_ed25519", key.as_str()),
            ("home/.local/share/onward/kept", log.as_str()),
            ("home/.docker/kept", ""),
            ("config/onward/config.toml", ""),
            ("repo/.git/HEAD", "ref: refs/heads/main\n"),
            ("repo/.git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"),
            ("repo/.git/hooks/kept", ""),
            ("repo/.git/objects/info/kept", ""),
            ("repo/.git/refs/heads/kept.lock", ""),
        ] {
            site.write(name, text)?;
        }
        for (name, text) in files {
            site.write(&format!("repo/{name}"), text)?;
        }
        Ok(site)
    }

    pub(crate) fn repo(&self) -> PathBuf {
        self.base.join("repo")
    }

    /// Writes a file; what begins like a script may be run.
    pub(crate) fn write(&self, name: &str, text: &str) -> anyhow::Result<()> {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.base.join(name);
        std::fs::create_dir_all(path.parent().context("a file has a folder")?)?;
        std::fs::write(&path, text)?;
        if text.starts_with("#!") {
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        }
        Ok(())
    }

    /// Hands everything to the user whose it is to be.
    pub(crate) fn hand_over(&self) -> anyhow::Result<()> {
        match self.user {
            Some(user) => give(&self.base, user),
            None => Ok(()),
        }
    }

    /// Commits everything, as somebody.
    pub(crate) fn commit(&self) -> anyhow::Result<()> {
        for words in [
            &["config", "user.name", "somebody"] as &[&str],
            &["config", "user.email", "somebody@example.com"],
            &["add", "--all"],
            &["commit", "--quiet", "--message", "the first"],
        ] {
            let done = Command::new("git").args(words).current_dir(self.repo()).output();
            let done = done.context("git cannot be started")?;
            ensure!(done.status.success(), "git {words:?} failed: {}", String::from_utf8_lossy(&done.stderr));
        }
        Ok(())
    }
}

fn give(path: &Path, user: u32) -> anyhow::Result<()> {
    std::os::unix::fs::lchown(path, Some(user), Some(user))?;
    if path.symlink_metadata()?.is_dir() {
        for entry in std::fs::read_dir(path)? {
            give(&entry?.path(), user)?;
        }
    }
    Ok(())
}
