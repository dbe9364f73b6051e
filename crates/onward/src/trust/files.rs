//! The files of a project that would take effect, read as they are.

use std::path::{Path, PathBuf};

use onward_port::digest;

use crate::config::read_small;
use crate::error::CliError;

/// The folder of a project's own configuration.
const FOLDER: &str = ".onward";
/// The configuration, there.
const CONFIG: &str = "config.toml";
/// The rules, there.
const POLICY: &str = "policy.toml";

/// The contents that a person trusts, or does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ProjectFiles {
    /// Those that are there, with their text. What was looked at is what takes effect: nothing reads them again.
    files: Vec<(PathBuf, String)>,
}

impl ProjectFiles {
    /// Reads what is in the workspace; none when there is nothing that would take effect.
    ///
    /// # Errors
    /// When a file is there and cannot be read: it can then be neither shown nor trusted.
    pub(crate) fn read(workspace: &Path) -> Result<Option<Self>, CliError> {
        let mut files = Vec::new();
        for name in [CONFIG, POLICY] {
            let path = workspace.join(FOLDER).join(name);
            if let Some(text) = read_small(&path)? {
                files.push((path, text));
            }
        }
        Ok((!files.is_empty()).then_some(Self { files }))
    }

    /// Over names and contents: another content is another project.
    pub(crate) fn digest(&self) -> String {
        let mut all = Vec::new();
        for (path, text) in &self.files {
            // Each part is as long as it says, so that nothing can move from one into the next.
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            for part in [name, text.as_bytes()] {
                all.extend((part.len() as u64).to_le_bytes());
                all.extend(part);
            }
        }
        digest(&all).to_string()
    }

    /// The text of the configuration.
    pub(crate) fn config(&self) -> Option<&str> {
        self.named(CONFIG)
    }

    /// The rules: where they stand, and their text.
    pub(crate) fn policy(&self) -> Option<(&Path, &str)> {
        self.texts().find(|(path, _)| path.ends_with(POLICY))
    }

    fn named(&self, name: &str) -> Option<&str> {
        let (_, text) = self.files.iter().find(|(path, _)| path.ends_with(name))?;
        Some(text)
    }

    /// Each file with its text.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&Path, &str)> {
        self.files.iter().map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// Their names, for one line.
    pub(crate) fn names(&self) -> String {
        let names = self.files.iter().filter_map(|(path, _)| path.file_name());
        names.map(|name| format!("{FOLDER}/{}", name.display())).collect::<Vec<_>>().join(" and ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(config: Option<&str>, policy: Option<&str>) -> Option<ProjectFiles> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join(FOLDER)).unwrap();
        for (name, text) in [(CONFIG, config), (POLICY, policy)] {
            if let Some(text) = text {
                std::fs::write(dir.path().join(FOLDER).join(name), text).unwrap();
            }
        }
        ProjectFiles::read(dir.path()).unwrap()
    }

    #[test]
    fn a_folder_without_configuration_has_nothing_to_trust() {
        assert_eq!(project(None, None), None);
    }

    #[test]
    fn every_change_is_another_digest() {
        let digests: Vec<String> = [
            (Some("a"), None),
            (Some("b"), None),
            (None, Some("a")),
            (Some("a"), Some("")),
            (Some(""), Some("a")),
            (Some("a"), Some("a")),
        ]
        .into_iter()
        .map(|(config, policy)| project(config, policy).unwrap().digest())
        .collect();
        for (i, digest) in digests.iter().enumerate() {
            assert!(!digests[i + 1..].contains(digest), "the {i}th");
        }
    }
}
