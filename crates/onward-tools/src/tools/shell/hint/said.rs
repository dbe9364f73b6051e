//! What a command said at its end, and the paths in it.

use std::path::{Component, Path, PathBuf};

/// What programs say when they may not change a file, in the words of the C library.
const DENIED: &[&str] = &["read-only file system", "permission denied", "operation not permitted"];
/// The same, as names of errors.
const DENIED_CODES: &[&str] = &["EROFS", "EACCES", "EPERM"];
/// What programs say of a file that they cannot make, or that is not there.
const NOT_MADE: &[&str] =
    &["no such file or directory", "enoent", "cannot create", "can't create", "cannot touch"];
/// Names in a home folder that usually hold secrets.
const SECRETS: &[&str] = &[
    ".ssh",
    ".aws",
    ".gnupg",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".pypirc",
    ".config/gh",
    ".config/gcloud",
    ".cargo/credentials.toml",
    ".local/share/onward",
];
/// Characters around a path in a message.
const QUOTES: &[char] = &['\'', '"', '`', '‘', '’', '“', '”', '(', ')', '[', ']', '<', '>', ',', ';'];

/// The end of an output.
pub(super) struct Said {
    as_it_is: String,
    in_lower_case: String,
    folder: PathBuf,
}

/// What a command may not change.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Denied {
    /// This.
    Path(String),
    /// It does not say what.
    Something,
}

impl Said {
    /// A command that ran in this folder.
    pub(super) fn new(output_end: &[u8], folder: &str) -> Self {
        let as_it_is = String::from_utf8_lossy(output_end).into_owned();
        Self { in_lower_case: as_it_is.to_lowercase(), as_it_is, folder: PathBuf::from(folder) }
    }

    /// The lines, in lower case.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        self.in_lower_case.lines()
    }

    /// Sentences count in any case; names of errors as words, and as they are written: others contain them.
    pub(super) fn any(&self, sentences: &[&str], codes: &[&str]) -> bool {
        sentences.iter().any(|sentence| self.in_lower_case.contains(sentence))
            || has_word(&self.as_it_is, codes)
    }

    /// What was denied, by the last line that says so and names a path, if one does.
    pub(super) fn denied(&self) -> Option<Denied> {
        let mut lines = self.as_it_is.lines().rev().filter(|line| is_denial(line)).peekable();
        lines.peek()?;
        Some(lines.find_map(|line| self.path_in(line)).map_or(Denied::Something, Denied::Path))
    }

    /// The paths that could not be opened.
    pub(super) fn missing_or_denied(&self) -> Vec<String> {
        let fails = |line: &&str| is_denial(line) || says(line, NOT_MADE);
        self.as_it_is.lines().filter(fails).filter_map(|line| self.path_in(line)).collect()
    }

    /// Whether a line is about a path below `/tmp` that could not be made. A workspace that lies there is the real one.
    pub(super) fn misses_temporary(&self, workspace: &str) -> bool {
        let workspace = workspace.to_lowercase();
        let fails = |line: &str| NOT_MADE.iter().chain(DENIED).any(|sentence| line.contains(sentence));
        self.lines().any(|line| fails(line) && temporary_paths(line).any(|path| !is_within(path, &workspace)))
    }

    /// The path that a line is about: the first word that looks like one, absolute or in quotes; made absolute.
    fn path_in(&self, line: &str) -> Option<String> {
        let quoted = line.split(['\'', '"', '`', '‘', '’']).skip(1).step_by(2);
        let words = line.split(|c: char| c.is_whitespace() || QUOTES.contains(&c));
        let words = words.map(|word| word.trim_matches(|c: char| QUOTES.contains(&c) || c == ':'));
        let is_path = |word: &&str| {
            let first = Path::new(word).components().next();
            let is_relative = matches!(first, Some(Component::ParentDir)) || word.starts_with('.');
            word.len() > 1
                && word.len() < 1_024
                && (word.starts_with('/') || is_relative || word.contains('/'))
        };
        // A message may begin with the program's own path.
        let mut paths: Vec<&str> = quoted.filter(|text| !text.contains(": ")).filter(is_path).collect();
        if paths.is_empty() {
            paths = words.filter(is_path).collect();
        }
        let path = self.folder.join(paths.last()?);
        Some(plain(&path).display().to_string())
    }
}

/// Whether a line, in lower case, is about a folder for temporary files.
pub(super) fn is_about_temporary(line: &str) -> bool {
    temporary_paths(line).next().is_some() || line.contains("/var/tmp/") || line.contains("/dev/shm/")
}

/// Whether a path is known to hold secrets.
pub(super) fn is_secret(path: &str) -> bool {
    SECRETS.iter().any(|name| path.contains(&format!("/{name}/")) || path.ends_with(&format!("/{name}")))
}

/// Names that start programs, wherever in the workspace they are.
const PROTECTED: &[&str] = &[".git", ".onward", ".mcp.json", ".claude", ".cursor", ".vscode", ".idea"];

/// Whether a name below the workspace is one of those that no command changes, or lies in one.
pub(super) fn is_protected(name: &str) -> bool {
    name.split('/').any(|part| PROTECTED.contains(&part))
}

/// A path by its name below a folder, if it lies in it.
pub(super) fn below<'a>(path: &'a str, folder: &str) -> Option<&'a str> {
    let rest = path.strip_prefix(folder.trim_end_matches('/'))?;
    rest.strip_prefix('/')
}

/// What would have to be lent for this path to be changed: the folder around it, unless that is a home folder, or all.
pub(super) fn lendable(path: &str) -> String {
    let parent = Path::new(path).parent().unwrap_or(Path::new("/"));
    let is_home = parent == Path::new("/root") || parent.parent() == Some(Path::new("/home"));
    let folder = if is_home || parent.parent().is_none() { Path::new(path) } else { parent };
    folder.display().to_string()
}

fn is_denial(line: &str) -> bool {
    says(line, DENIED) || has_word(line, DENIED_CODES)
}

fn says(line: &str, sentences: &[&str]) -> bool {
    let line = line.to_lowercase();
    sentences.iter().any(|sentence| line.contains(sentence))
}

fn has_word(text: &str, words: &[&str]) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| words.contains(&word))
}

/// What follows from each `/tmp/` on; not from one that ends in it, such as `/var/tmp/` or `target/tmp/`.
fn temporary_paths(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("/tmp/").filter_map(|(at, _)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| !is_of_name(c) && c != '/').then(|| line.get(at..).unwrap_or_default())
    })
}

/// Whether a text begins with this folder, or with a path below it.
fn is_within(text: &str, folder: &str) -> bool {
    let rest = text.strip_prefix(folder.trim_end_matches('/'));
    rest.is_some_and(|rest| !rest.starts_with(is_of_name))
}

/// Whether a name goes on with it.
fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || "._-".contains(c)
}

/// A path without `.` and `..`, as it is written.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_is_taken_from_the_words_of_many_programs() {
        for (line, path) in [
            ("touch: cannot touch '/etc/x': Read-only file system", "/etc/x"),
            ("sh: 1: cannot create /opt/a/b: Permission denied", "/opt/a/b"),
            ("bash: line 1: ../out.txt: Read-only file system", "/work/out.txt"),
            ("error: could not lock config file .git/config: Read-only file system", "/work/w/.git/config"),
            ("Error: EROFS: read-only file system, open '/usr/lib/x y'", "/usr/lib/x y"),
            ("PermissionError: [Errno 13] Permission denied: '/srv/data'", "/srv/data"),
            ("open /var/lib/x: permission denied", "/var/lib/x"),
            ("/usr/bin/tool: cannot write `/opt/t/log`: Permission denied", "/opt/t/log"),
        ] {
            let said = Said::new(line.as_bytes(), "/work/w");
            assert_eq!(said.denied(), Some(Denied::Path(path.into())), "{line}");
        }
        assert_eq!(Said::new(b"Permission denied (os error 13)", "/w").denied(), Some(Denied::Something));
        assert_eq!(Said::new(b"no match", "/w").denied(), None);
    }

    #[test]
    fn no_home_folder_is_lent_as_a_whole() {
        for (path, lent) in [
            ("/home/user/.npmrc", "/home/user/.npmrc"),
            ("/home/user/.cache/x", "/home/user/.cache"),
            ("/x", "/x"),
            ("/opt/a/b", "/opt/a"),
        ] {
            assert_eq!(lendable(path), lent);
        }
    }
}
