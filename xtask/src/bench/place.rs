//! A home of its own for each run: configuration, data and a folder to work in, below `target`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::Context;

/// A folder that is removed when it is dropped.
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    /// Below the workspace's target folder, so that it lies on the disk that the work lies on; the system's folder for
    /// temporary files is often in memory.
    pub(crate) fn new(root: &Path) -> anyhow::Result<Self> {
        let path = root.join("target").join(format!("bench-{}", std::process::id()));
        std::fs::create_dir_all(&path).with_context(|| format!("{} cannot be made", path.display()))?;
        Ok(Self { path })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// A new folder in it.
    pub(crate) fn folder(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = self.path.join(name);
        std::fs::create_dir_all(&path).with_context(|| format!("{} cannot be made", path.display()))?;
        Ok(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays behind is below `target`, and is no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// Where a process under measurement lives.
pub(crate) struct Place {
    binary: PathBuf,
    folder: PathBuf,
}

impl Place {
    /// With a configuration that knows one model, at this port of loopback.
    pub(crate) fn new(scratch: &Scratch, name: &str, binary: &Path, port: u16) -> anyhow::Result<Self> {
        let folder = scratch.folder(name)?;
        let config = scratch.folder(&format!("{name}/config/onward"))?;
        scratch.folder(&format!("{name}/work"))?;
        let text = format!(
            "model = \"bench/counting\"\nmode = \"auto\"\n\n[providers.bench]\nkind = \"chat\"\n\
             base_url = \"http://127.0.0.1:{port}/v1\"\n\n[models.\"bench/counting\"]\ncontext_window = 100000000\n"
        );
        std::fs::write(config.join("config.toml"), text).context("the configuration cannot be written")?;
        Ok(Self { binary: binary.to_owned(), folder })
    }

    /// Where the sessions are.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// `onward` with these words.
    pub(crate) fn onward(&self, words: &[&str]) -> anyhow::Result<Command> {
        let mut command = self.within(self.binary.as_ref())?;
        command.args(words);
        Ok(command)
    }

    /// Another program that is given `onward` and its words to run.
    pub(crate) fn wrapped(&self, program: &str, before: &[&str], words: &[&str]) -> anyhow::Result<Command> {
        let mut command = self.within(program.as_ref())?;
        command.args(before).arg(&self.binary).args(words);
        Ok(command)
    }

    /// What the last process said on standard error.
    pub(crate) fn said(&self) -> String {
        let text = std::fs::read_to_string(self.folder.join("stderr")).unwrap_or_default();
        let lines: Vec<_> = text.lines().collect();
        lines[lines.len().saturating_sub(10)..].join("\n")
    }

    /// Nothing of the caller's environment but the path to programs.
    fn within(&self, program: &Path) -> anyhow::Result<Command> {
        let stderr = std::fs::File::create(self.folder.join("stderr")).context("a file cannot be made")?;
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.folder.join("work"));
        command.env("PATH", std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into()));
        command.env("HOME", &self.folder).env("LANG", "C.UTF-8").env("ONWARD_DATA_DIR", self.data());
        command.env("XDG_CONFIG_HOME", self.folder.join("config")).env("ONWARD_MAX_RECOVERIES", "1000");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(stderr);
        Ok(command)
    }
}
