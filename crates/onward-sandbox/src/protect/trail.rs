//! Where a name leads: through symbolic links that came with the workspace, to what stands at their end.
//!
//! A protected name that is a link, or lies behind one, protects nothing by itself: what would be read stands elsewhere.
//! So each link on the way is kept as it is, and what they lead to is protected under its own name, if that is in the
//! workspace; elsewhere a command changes nothing.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// Links that are followed; the kernel follows no more either.
const MOST_LINKS: usize = 40;

/// A name, followed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trail {
    /// The links on the way that are in the workspace, by their names below it.
    pub(super) links: Vec<String>,
    /// What it leads to, below the workspace; none when that is elsewhere. It need not be there.
    pub(super) end: Option<String>,
}

impl Trail {
    /// Follows a name below the workspace. One that is not plain text is not one that can be told to a launcher.
    pub(super) fn of(workspace: &Path, name: &str) -> Self {
        let mut trail = Self { links: Vec::new(), end: None };
        let mut left: VecDeque<OsString> = words(Path::new(name));
        let (mut path, mut followed) = (workspace.to_owned(), 0);
        while let Some(word) = left.pop_front() {
            if word == ".." {
                path.pop();
                continue;
            }
            path.push(word);
            if !left.is_empty() && path.symlink_metadata().is_ok_and(|meta| meta.is_file()) {
                // Nothing is behind a file, which may lead a program elsewhere by what it says.
                break;
            }
            let Ok(target) = path.read_link() else { continue };
            trail.links.extend(below(workspace, &path));
            followed += 1;
            if followed > MOST_LINKS {
                return trail;
            }
            path = match target.is_absolute() {
                true => PathBuf::from("/"),
                false => path.parent().unwrap_or(Path::new("/")).to_owned(),
            };
            for word in words(&target).into_iter().rev() {
                left.push_front(word);
            }
        }
        trail.end = below(workspace, &path);
        trail
    }
}

fn words(path: &Path) -> VecDeque<OsString> {
    let word = |part: Component<'_>| match part {
        Component::Normal(word) => Some(word.to_owned()),
        Component::ParentDir => Some("..".into()),
        Component::CurDir | Component::RootDir | Component::Prefix(_) => None,
    };
    path.components().filter_map(word).collect()
}

fn below(workspace: &Path, path: &Path) -> Option<String> {
    let name = path.strip_prefix(workspace).ok()?.to_str()?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use std::fs::create_dir_all;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_are_followed_to_what_is_there_or_would_be() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        create_dir_all(root.join("gd/info")).unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        for (target, link) in [
            ("gd", ".git"),
            ("a", ".vscode"),
            ("ide", "a"),
            ("./m.json", ".mcp.json"),
            ("/etc/nothing", ".claude"),
            ("../../x", "gd/up"),
            ("loop", "loop"),
        ] {
            symlink(target, root.join(link)).unwrap();
        }
        symlink(root.join("gd/info"), root.join("gd/absolute")).unwrap();
        for (name, links, end) in [
            (".git/hooks", &[".git"][..], Some("gd/hooks")),
            (".vscode", &[".vscode", "a"], Some("ide")),
            (".mcp.json", &[".mcp.json"], Some("m.json")),
            (".claude", &[".claude"], None),
            (".git/absolute/x", &[".git", "gd/absolute"], Some("gd/info/x")),
            (".git/up", &[".git", "gd/up"], None),
            (".idea/x", &[], Some(".idea/x")),
            ("file/x/y", &[], Some("file")),
        ] {
            let links = links.iter().map(|&link| link.to_owned()).collect();
            assert_eq!(Trail::of(&root, name), Trail { links, end: end.map(str::to_owned) }, "{name}");
        }
        assert_eq!(Trail::of(&root, "loop").end, None);
    }
}
