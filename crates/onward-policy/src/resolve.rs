//! What a word means on this machine: which file a path is, which program a name runs.
//!
//! Decisions are made on what a path *leads to*, not on how it is spelled: symbolic links are followed, and what does
//! not exist yet is resolved as far as it does.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Components of a path that are looked at. A longer one is taken as it is written.
const MAX_COMPONENTS: usize = 256;

/// A path in two forms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Resolved {
    /// Absolute, without `.` and `..`, links not followed.
    pub(crate) literal: String,
    /// Absolute, links followed.
    pub(crate) real: String,
}

/// The program that a command names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Program {
    /// As it is written.
    pub(crate) word: String,
    /// The file, links followed; `None`: there is none, or it is a word of the shell itself.
    pub(crate) real: Option<String>,
    /// Whether it is reached through another process' view of the file system (`/proc/1/root/…`): what is there for us
    /// need not be there for the one who runs it.
    pub(crate) borrowed: bool,
}

/// Resolves a path that is relative to `dir`.
pub(crate) fn path(word: &str, dir: &str) -> Resolved {
    let joined = Path::new(dir).join(word);
    let literal = lexical(&joined);
    let real = if joined.components().count() > MAX_COMPONENTS { literal.clone() } else { follow(&joined) };
    Resolved { literal: text(&literal), real: text(&real) }
}

/// Finds the program that `word` names for a command that runs in `dir` with this search path.
pub(crate) fn program(word: &str, dir: &str, search: &[String]) -> Program {
    let (real, borrowed) = if word.contains('/') {
        let joined = Path::new(dir).join(word);
        (fs::canonicalize(&joined).ok().map(|real| text(&real)), is_borrowed(&joined))
    } else {
        (look_up(word, dir, search), false)
    };
    Program { word: word.to_owned(), real, borrowed }
}

/// The file that a bare name runs. A relative or empty folder of the search path is one of the working folder.
pub(crate) fn look_up(name: &str, dir: &str, search: &[String]) -> Option<String> {
    if name.is_empty() || name.contains('/') {
        return None;
    }
    search.iter().find_map(|folder| {
        let candidate = Path::new(dir).join(folder).join(name);
        let real = fs::canonicalize(candidate).ok()?;
        real.is_file().then(|| text(&real))
    })
}

/// Whether a path goes through a link of the process file system that leads out of it.
fn is_borrowed(path: &Path) -> bool {
    let names: Vec<_> = path.components().map(|component| component.as_os_str()).collect();
    let starts_in_proc = names.get(1).is_some_and(|name| *name == "proc");
    starts_in_proc
        && names.iter().any(|name| *name == "root" || *name == "cwd" || *name == "fd" || *name == "exe")
}

/// The path with all links followed; what does not exist is appended to what does.
fn follow(path: &Path) -> PathBuf {
    let mut rest: Vec<Component<'_>> = Vec::new();
    let mut start = path;
    loop {
        if let Ok(real) = fs::canonicalize(start) {
            let whole = rest.iter().rev().fold(real, |path, component| path.join(component));
            return lexical(&whole);
        }
        let (Some(parent), Some(last)) = (start.parent(), start.components().next_back()) else {
            return lexical(path);
        };
        rest.push(last);
        start = parent;
    }
}

fn lexical(path: &Path) -> PathBuf {
    let mut out = PathBuf::from("/");
    for component in path.components() {
        match component {
            Component::ParentDir => {
                out.pop();
            }
            Component::Normal(name) => out.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    out
}

/// Rules are text. A path that is not UTF-8 has replacement characters in it, which only a pattern with a wildcard
/// matches: an *allow* for its folder holds, one for its name cannot be written.
fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_and_missing_names_appended() {
        let folder = tempfile::tempdir().unwrap();
        let root = fs::canonicalize(folder.path()).unwrap();
        let name = |rest: &str| text(&root.join(rest));
        fs::create_dir(root.join("real")).unwrap();
        symlink("real", root.join("link")).unwrap();
        symlink("missing", root.join("dangling")).unwrap();
        let dir = text(&root);
        assert_eq!(
            path("link/new.txt", &dir),
            Resolved { literal: name("link/new.txt"), real: name("real/new.txt") }
        );
        assert_eq!(path("link/../x", &dir).real, name("x"));
        assert_eq!(path("a/b/../c", &dir).real, name("a/c"));
        assert_eq!(path("../../../../../../../../..", &dir).real, "/");
        assert_eq!(path("dangling", &dir).real, name("dangling"));
    }

    #[test]
    fn a_program_reached_through_another_process_is_marked() {
        let through = program("/proc/self/root/bin/sh", "/", &[]);
        assert!(through.borrowed);
        assert_eq!(through.real, program("sh", "/", &["/bin".into()]).real);
        assert!(!program("/bin/sh", "/", &[]).borrowed);
        assert_eq!(program("no-such-program", "/", &["/bin".into()]).real, None);
    }
}
