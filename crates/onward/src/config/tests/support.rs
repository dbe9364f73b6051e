//! A home and a workspace of their own for each test.

use std::path::PathBuf;

use tempfile::TempDir;

use crate::config::{Config, Environment, Overrides, entries, load};
use crate::error::CliError;

/// Surroundings to load a configuration in.
pub(super) struct World {
    dir: TempDir,
    pub(super) environment: Environment,
}

impl World {
    pub(super) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let (home, cwd) = (dir.path().join("home"), dir.path().join("work"));
        for folder in [home.join(".config/onward"), cwd.join(".onward")] {
            std::fs::create_dir_all(folder).unwrap();
        }
        Self { environment: Environment { vars: [].into(), home: Some(home), cwd }, dir }
    }

    pub(super) fn user(self, text: &str) -> Self {
        std::fs::write(self.user_file(), text).unwrap();
        self
    }

    pub(super) fn project(self, text: &str) -> Self {
        std::fs::write(self.project_file(), text).unwrap();
        self
    }

    pub(super) fn var(mut self, name: &str, value: &str) -> Self {
        self.environment.vars.insert(name.into(), value.into());
        self
    }

    pub(super) fn user_file(&self) -> PathBuf {
        self.dir.path().join("home/.config/onward/config.toml")
    }

    pub(super) fn project_file(&self) -> PathBuf {
        self.dir.path().join("work/.onward/config.toml")
    }

    pub(super) fn load(&self) -> Result<Config, CliError> {
        self.load_with(&Overrides::default())
    }

    pub(super) fn load_with(&self, overrides: &Overrides) -> Result<Config, CliError> {
        let project = std::fs::read_to_string(self.project_file()).ok();
        load(&self.environment, &self.environment.cwd, overrides, project.as_deref())
    }

    /// The text as it would be for a person whose home folder is `~` and who works in `/work`.
    pub(super) fn shown(&self, text: &str) -> String {
        let folder = self.dir.path().to_string_lossy();
        text.replace(&format!("{folder}/home"), "~").replace(&*folder, "")
    }

    /// What a person is told.
    pub(super) fn error(&self) -> String {
        self.shown(&self.load().unwrap_err().to_string())
    }

    /// Value and source of a key, as `onward config` shows them.
    pub(super) fn entry(&self, config: &Config, key: &str) -> (String, String) {
        let entry =
            entries(config).into_iter().find(|entry| entry.key == key).unwrap_or_else(|| panic!("no {key}"));
        (self.shown(&entry.value), self.shown(&entry.source))
    }
}
