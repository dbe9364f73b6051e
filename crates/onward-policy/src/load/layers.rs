//! The rules of all layers: read, and held against each other.

use std::io::{self, ErrorKind, Read as _};
use std::path::PathBuf;

use super::error::{LoadError, LoadErrors};
use super::file::{Parsed, parse};
use crate::layer::Layer;

/// Bytes of one file.
const MAX_BYTES: u64 = 1 << 20;

/// A file of rules and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerFile {
    /// Whose.
    pub layer: Layer,
    /// Where. A file that is not there has no rules.
    pub path: PathBuf,
}

impl LayerFile {
    /// The text of the file; `None` when there is none.
    ///
    /// # Errors
    /// When it is there and cannot be read as text: what it says must not be passed over.
    pub fn read(&self) -> Result<Option<String>, LoadError> {
        let unreadable = |error: io::Error| {
            self.wrong(format!("the rules cannot be read: {error}"), "repair the file, or move it away")
        };
        // A pipe would be waited for.
        if std::fs::metadata(&self.path).is_ok_and(|found| !found.is_file()) {
            return Err(self.wrong("it is no regular file".into(), "repair the file, or move it away"));
        }
        let handle = match std::fs::File::open(&self.path) {
            // A link that leads nowhere is no missing file: somebody meant it to lead to rules.
            Err(error) if error.kind() == ErrorKind::NotFound && !self.path.is_symlink() => return Ok(None),
            other => other.map_err(unreadable)?,
        };
        let mut text = String::new();
        handle.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
        if text.len() as u64 > MAX_BYTES {
            let what = format!("the file is longer than {MAX_BYTES} bytes");
            return Err(self.wrong(what, "split or shorten it"));
        }
        Ok(Some(text))
    }

    fn wrong(&self, what: String, instead: &str) -> LoadError {
        let file = self.path.display().to_string();
        LoadError { file, line: 0, column: 0, what, instead: instead.to_owned() }
    }
}

/// The text of a file of rules and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerText<'a> {
    /// Whose.
    pub layer: Layer,
    /// What it is called in errors and reasons.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
}

/// Reads files, and the built-in rules with them.
///
/// # Errors
/// All that is wrong with any of them.
pub(crate) fn read_files(files: &[LayerFile]) -> Result<Parsed, LoadErrors> {
    let mut errors = Vec::new();
    let mut texts = Vec::new();
    for file in files {
        match file.read() {
            Ok(Some(text)) => texts.push((file.layer, file.path.display().to_string(), text)),
            Ok(None) => {}
            Err(error) => errors.push(error),
        }
    }
    let layers: Vec<LayerText<'_>> =
        texts.iter().map(|(layer, name, text)| LayerText { layer: *layer, name, text }).collect();
    match read_texts(&layers) {
        Ok(parsed) if errors.is_empty() => Ok(parsed),
        Ok(_) => Err(LoadErrors(errors)),
        Err(LoadErrors(more)) => Err(LoadErrors(errors.into_iter().chain(more).collect())),
    }
}

/// As [`read_files`], for texts that the caller has.
///
/// # Errors
/// All that is wrong with any of them.
pub(crate) fn read_texts(layers: &[LayerText<'_>]) -> Result<Parsed, LoadErrors> {
    let mut all = crate::builtin::parsed();
    for layer in layers {
        let mut parsed = parse(layer.layer, layer.name, layer.text);
        for rule in &parsed.rules {
            if let Some(earlier) = all.rules.iter().find(|earlier| earlier.id == rule.id) {
                let place = &earlier.origin;
                parsed.errors.push(LoadError {
                    file: rule.origin.file.clone(),
                    line: rule.origin.line,
                    column: 1,
                    what: format!("the id `{}` is taken by the {} rule ({place})", rule.id, place.layer.name()),
                    instead: "give it an id of its own: rules of other layers are not replaced, the strictest counts".into(),
                });
            }
        }
        all.rules.append(&mut parsed.rules);
        all.grants.append(&mut parsed.grants);
        all.errors.append(&mut parsed.errors);
    }
    if all.errors.is_empty() { Ok(all) } else { Err(LoadErrors(all.errors)) }
}
