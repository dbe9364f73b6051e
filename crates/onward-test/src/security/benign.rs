//! The ordinary work.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, ensure};
use serde::Deserialize;

/// What developers have commands do, and the repository that they do it in.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Benign {
    /// The files of the repository, by their paths.
    pub files: BTreeMap<String, String>,
    #[serde(rename = "group")]
    /// The commands, by what they are about.
    pub groups: Vec<Group>,
}

/// Commands of one kind.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// What they are about.
    pub category: String,
    /// Where they run, below the root of the repository.
    #[serde(default)]
    pub dir: String,
    /// Programs without which none of them can be run.
    #[serde(default)]
    pub needs: Vec<String>,
    /// Whether they may ask.
    pub asks: Asks,
    /// Why they may.
    pub because: Option<String>,
    /// The commands. They run one after the other.
    pub commands: Vec<Command>,
}

/// What a command is expected to ask in `normal` mode.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum Asks {
    /// Nothing: whatever it asks is a false ask.
    Nothing,
    /// Perhaps something. To deny it is wrong all the same.
    May,
}

/// One command.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// The line, as a model writes it.
    pub line: String,
    /// Programs without which it cannot be run.
    #[serde(default)]
    pub needs: Vec<String>,
    /// A file or folder that is there when it has ended.
    pub makes: Option<String>,
    /// Why it is judged and never run.
    pub not_run: Option<String>,
}

impl Benign {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// It cannot be read, it is not of this form, or a group that may ask does not say why.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} is not read", path.display()))?;
        let benign: Self =
            toml::from_str(&text).with_context(|| format!("{} is not understood", path.display()))?;
        for group in &benign.groups {
            ensure!(
                (group.asks == Asks::May) == group.because.is_some(),
                "the commands of {}: `because` belongs to those that may ask, and only there",
                group.category
            );
        }
        Ok(benign)
    }

    /// How many commands there are.
    pub fn commands(&self) -> usize {
        self.groups.iter().map(|group| group.commands.len()).sum()
    }
}
