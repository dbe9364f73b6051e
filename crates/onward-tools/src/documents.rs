//! The project's own instructions: AGENTS.md from the root of the workspace down to the working folder, from the wide
//! to the narrow (seed, section 10).

use std::io::Read as _;
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use onward_event::Workspace;
use onward_port::{BoxFuture, Document, Documents, FoundDocuments, digest};

/// The file's name in every folder.
const NAME: &str = "AGENTS.md";

/// Bytes of all documents together that a model is shown; what is beyond is cut, and said to be.
pub const MAX_DOCUMENT_BYTES: usize = 32 * 1024;

/// Reads AGENTS.md files.
#[derive(Clone, Copy, Debug, Default)]
pub struct AgentDocuments;

impl Documents for AgentDocuments {
    fn load<'a>(&'a self, workspace: &'a Workspace) -> BoxFuture<'a, FoundDocuments> {
        let workspace = workspace.clone();
        Box::pin(async move {
            let loaded = crate::blocking::blocking(move || Ok(load(&workspace))).await;
            loaded.unwrap_or_else(|fault| nothing(fault.message))
        })
    }
}

fn nothing(why: String) -> FoundDocuments {
    FoundDocuments { documents: Vec::new(), unreadable: vec![(NAME.to_owned(), why)] }
}

fn load(workspace: &Workspace) -> FoundDocuments {
    let mut found = FoundDocuments::default();
    let root = match Dir::open_ambient_dir(&workspace.root, ambient_authority()) {
        Ok(root) => root,
        Err(error) => return nothing(error.to_string()),
    };
    let mut room = MAX_DOCUMENT_BYTES;
    for folder in folders(workspace) {
        let path = folder.join(NAME);
        let name = path.to_string_lossy().into_owned();
        match read(&root, &path) {
            Ok(None) => {}
            Ok(Some(text)) => {
                let shown = cut_to(&text, room);
                room -= shown.len();
                let cut = (text.len() - shown.len()) as u64;
                found.documents.push(Document {
                    path: name,
                    hash: digest(shown.as_bytes()),
                    text: shown.into(),
                    cut,
                });
            }
            Err(why) => found.unreadable.push((name, why)),
        }
    }
    found
}

/// The root itself, and every folder on the way down to the working folder.
fn folders(workspace: &Workspace) -> Vec<PathBuf> {
    let mut folders = vec![PathBuf::new()];
    if let Ok(inner) = Path::new(&workspace.dir).strip_prefix(&workspace.root) {
        let mut here = PathBuf::new();
        for part in inner.components() {
            here.push(part);
            folders.push(here.clone());
        }
    }
    folders
}

/// The file's text; `None` when there is no such file. Links that lead outside the workspace are refused by the
/// handle, and whatever is not a regular file is never opened for its content.
fn read(root: &Dir, path: &Path) -> Result<Option<String>, String> {
    let metadata = match root.metadata(path) {
        Ok(metadata) => metadata,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    if !metadata.is_file() {
        return Err("it is not a regular file".into());
    }
    let file = root.open(path).map_err(|error| error.to_string())?;
    let mut bytes = Vec::new();
    // A document is text for a model: what is far beyond the limit is not worth reading to count it exactly.
    let bound = (MAX_DOCUMENT_BYTES * 64) as u64;
    file.take(bound).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// At most this many bytes, ending at a character.
fn cut_to(text: &str, room: usize) -> &str {
    let mut end = text.len().min(room);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn workspace(root: &Path, dir: &str) -> Workspace {
        let root = root.to_string_lossy().into_owned();
        Workspace { dir: format!("{root}/{dir}"), root }
    }

    #[test]
    fn documents_come_from_the_wide_to_the_narrow() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(temp.path().join("a/b")).unwrap();
        std::fs::write(temp.path().join("AGENTS.md"), "wide").unwrap();
        std::fs::write(temp.path().join("a/b/AGENTS.md"), "narrow").unwrap();
        let FoundDocuments { documents, unreadable } = load(&workspace(temp.path(), "a/b"));
        let texts: Vec<_> = documents.iter().map(|d| (d.path.as_str(), d.text.as_str())).collect();
        assert_eq!(texts, [("AGENTS.md", "wide"), ("a/b/AGENTS.md", "narrow")]);
        assert!(unreadable.is_empty());
    }

    #[test]
    fn what_is_beyond_the_limit_is_cut_at_a_character_and_counted() {
        let temp = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(temp.path().join("a")).unwrap();
        std::fs::write(temp.path().join("AGENTS.md"), "é".repeat(20_000)).unwrap();
        std::fs::write(temp.path().join("a/AGENTS.md"), "more").unwrap();
        let FoundDocuments { documents, .. } = load(&workspace(temp.path(), "a"));
        assert_eq!(documents[0].text.len(), MAX_DOCUMENT_BYTES);
        assert_eq!(documents[0].cut, 40_000 - MAX_DOCUMENT_BYTES as u64);
        assert_eq!((documents[1].text.as_str(), documents[1].cut), ("", 4));
    }

    #[test]
    fn a_link_that_leads_outside_is_left_out_with_a_reason() {
        let (temp, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        std::fs::write(outside.path().join("secret"), "do as I say").unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), temp.path().join("AGENTS.md")).unwrap();
        let FoundDocuments { documents, unreadable } = load(&workspace(temp.path(), ""));
        assert!(documents.is_empty());
        assert_eq!(unreadable[0].0, "AGENTS.md");
    }
}
