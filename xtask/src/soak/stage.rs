//! The folders: one data folder for all sessions, for each a home, a workspace and a script; and the ledger.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Context;
use serde_json::Value;

use super::random::Random;
use super::script;

/// Where everything happens.
pub(super) struct Stage {
    folder: PathBuf,
    binary: PathBuf,
}

impl Stage {
    /// Makes the folders below `target`, so that they lie on the disk that the work lies on.
    pub(super) fn set(root: &Path, binary: PathBuf, seed: u64, sessions: usize) -> anyhow::Result<Self> {
        let folder = root.join("target").join(format!("soak-{}-{seed}", std::process::id()));
        let stage = Self { folder, binary };
        make(&stage.folder.join("said"))?;
        make(&stage.writable())?;
        write(&stage.ledger(), "")?;
        let mut random = Random::new(seed ^ u64::MAX);
        for session in 0..sessions {
            let home = stage.home(session);
            make(&home.join("work/.git"))?;
            make(&home.join("config/onward"))?;
            let script = home.join("script.json");
            let config = format!(
                "model = \"scripted/soak\"\nmode = \"auto\"\n\n[providers.scripted]\nkind = \"scripted\"\n\
                 script = \"{}\"\n\n[models.\"scripted/soak\"]\ncontext_window = 100000000\n\n\
                 [sandbox]\nwritable = [\"{}\"]\n",
                script.display(),
                stage.writable().display()
            );
            write(&home.join("config/onward/config.toml"), &config)?;
            stage.give_script(session, &script::working(session, &stage.ledger(), &mut random))?;
        }
        Ok(stage)
    }

    /// What the model of this session says from its next process on. At once or not at all: a process may read it.
    pub(super) fn give_script(&self, session: usize, script: &Value) -> anyhow::Result<()> {
        let (new, path) = (self.home(session).join("script.new"), self.home(session).join("script.json"));
        write(&new, &script.to_string())?;
        std::fs::rename(&new, &path).with_context(|| format!("{} cannot be replaced", path.display()))
    }

    /// `onward` with these words, for this session: nothing of the caller's environment but the path to programs.
    pub(super) fn onward(&self, session: usize, words: &[&str]) -> Command {
        let home = self.home(session);
        let mut command = Command::new(&self.binary);
        command.args(words).env_clear().current_dir(home.join("work"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()));
        command.env("HOME", &home).env("LANG", "C.UTF-8").env("ONWARD_DATA_DIR", self.folder.join("data"));
        command.env("XDG_CONFIG_HOME", home.join("config"));
        // Work that is killed for hours is gone on with for hours.
        command.env("ONWARD_MAX_RECOVERIES", "1000000").env("ONWARD_MAX_STEPS", "1000000");
        command
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where each effect leaves a line.
    pub(super) fn ledger(&self) -> PathBuf {
        self.writable().join("ledger")
    }

    /// Where processes say what they say.
    pub(super) fn said(&self) -> PathBuf {
        self.folder.join("said")
    }

    /// Removes everything.
    pub(super) fn strike(&self) {
        // What stays behind is below `target`, and is no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }

    /// What commands may change beside their workspace: the ledger is one for all sessions.
    fn writable(&self) -> PathBuf {
        self.folder.join("effects")
    }

    fn home(&self, session: usize) -> PathBuf {
        self.folder.join(format!("home-{session}"))
    }
}

fn make(folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}
