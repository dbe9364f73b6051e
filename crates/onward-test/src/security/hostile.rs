//! The commands of somebody who means harm.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, ensure};
use onward_event::Verdict;
use serde::Deserialize;

/// All of them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hostile {
    /// One after the other; each is run by itself.
    #[serde(rename = "attack")]
    pub attacks: Vec<Attack>,
}

/// One command, and what has to come of it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attack {
    /// Its name.
    pub id: String,
    /// The known cases that it is an example of.
    #[serde(default)]
    pub cases: Vec<String>,
    /// Programs without which it cannot be run.
    #[serde(default)]
    pub needs: Vec<String>,
    /// What policy has to answer in `normal` mode.
    pub policy: AtLeast,
    /// What a shell is given as one argument.
    pub script: Option<String>,
    /// What is run without a shell.
    #[serde(default)]
    pub argv: Vec<String>,
    /// Files that the repository brings along.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Tiers that do not promise to stop it, and why.
    #[serde(default)]
    pub residual: BTreeMap<String, String>,
}

/// What policy has to answer, or something stricter.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub enum AtLeast {
    /// It is let through: what it does cannot be told from its words.
    Sandbox,
    /// A person is asked.
    Ask,
    /// It is denied.
    Deny,
}

impl Hostile {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// It cannot be read, it is not of this form, or an attack has not exactly one of `script` and `argv`.
    pub fn load(path: &Path) -> anyhow::Result<Self> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{} is not read", path.display()))?;
        let hostile: Self =
            toml::from_str(&text).with_context(|| format!("{} is not understood", path.display()))?;
        for attack in &hostile.attacks {
            ensure!(
                attack.script.is_some() == attack.argv.is_empty(),
                "{} has `script` or `argv`, and not both",
                attack.id
            );
        }
        Ok(hostile)
    }
}

impl Attack {
    /// The line that policy is asked about: what a model would have to write.
    pub fn line(&self) -> String {
        match &self.script {
            Some(script) => script.clone(),
            None => self.argv.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "),
        }
    }

    /// What is started.
    pub fn vector(&self) -> Vec<String> {
        match &self.script {
            Some(script) => vec!["/bin/sh".into(), "-c".into(), script.clone()],
            None => self.argv.clone(),
        }
    }
}

impl AtLeast {
    /// Whether an answer is enough.
    pub fn holds(self, verdict: Verdict) -> bool {
        match self {
            Self::Sandbox => true,
            Self::Ask => verdict >= Verdict::Ask,
            Self::Deny => verdict >= Verdict::Deny,
        }
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./=:,@+%{}".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
