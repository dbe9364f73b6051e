//! Adds a rule to the person's own file, which stays whole whatever happens meanwhile.

use std::fs;
use std::io::{ErrorKind as Io, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use crate::error::{CliError, ErrorKind};

/// Appends a rule to the file, and makes the file if there is none. What stands in it stays as it is, comments too.
///
/// # Errors
/// When it cannot be written; then it is as it was.
pub(crate) fn save_rule(path: &Path, rule: &str) -> Result<(), CliError> {
    append(path, rule).map_err(|error| {
        let message = format!("{} cannot be written: {error}; no rule was saved", path.display());
        CliError::new(ErrorKind::Config, message)
    })
}

fn append(path: &Path, rule: &str) -> std::io::Result<()> {
    // A file that is kept elsewhere and linked here stays there.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == Io::NotFound => String::new(),
        Err(error) => return Err(error),
    };
    if !text.is_empty() {
        text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
    }
    text.push_str(rule.trim_end());
    text.push('\n');
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension(format!("toml.{}", std::process::id()));
    let mut file =
        fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, &path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_added_and_everything_else_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("onward/policy.toml");
        save_rule(&path, "[[rule]]\nid = \"a\"\n\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "[[rule]]\nid = \"a\"\n");
        fs::write(&path, "# mine\n[[rule]]\nid = \"a\"").unwrap();
        save_rule(&path, "[[rule]]\nid = \"b\"").unwrap();
        let expected = "# mine\n[[rule]]\nid = \"a\"\n\n[[rule]]\nid = \"b\"\n";
        assert_eq!(fs::read_to_string(&path).unwrap(), expected);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_is_linked_stays_where_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let (real, link) = (dir.path().join("real.toml"), dir.path().join("policy.toml"));
        fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        save_rule(&link, "id = 1").unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "id = 1\n");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }
}
