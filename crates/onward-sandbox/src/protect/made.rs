//! Protected names that a command has made where none was known: what becomes of them.
//!
//! A new repository is a fair thing to make, and stays, if it starts nothing: its hooks are the samples, and its settings
//! are of a list that names no program. Anything else that is new in a folder that was there before is *set aside*: given
//! another name, at which nothing looks for it. Nothing is removed, since it may be the person who has made it meanwhile.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, RenameFlags, ResolveFlags, openat, openat2, renameat_with};

use super::nested::Made;
use super::repository;

/// Names that are tried for what is set aside.
const MOST_NAMES: u32 = 100;
/// Bytes of the longest settings that are read.
const MOST_BYTES: u64 = 64 << 10;
/// Settings of a repository that start nothing and lead nowhere: section, and keys in it.
const HARMLESS: &[(&str, &[&str])] = &[
    (
        "core",
        &[
            "repositoryformatversion",
            "filemode",
            "bare",
            "logallrefupdates",
            "ignorecase",
            "precomposeunicode",
            "symlinks",
            "worktree",
            "autocrlf",
            "eol",
        ],
    ),
    ("remote", &["url", "fetch", "tagopt", "mirror", "promisor", "partialclonefilter"]),
    ("branch", &["remote", "merge", "rebase"]),
    ("submodule", &["url", "active", "branch"]),
    ("user", &["name", "email"]),
    ("extensions", &["objectformat", "refstorage", "partialclone"]),
    ("init", &["defaultbranch"]),
    ("pull", &["rebase", "ff"]),
];

/// Sets aside what must not stay. Returns a line for each, for people.
pub(super) fn set_aside(workspace: &Path, made: &[Made]) -> Vec<String> {
    let mut lines = Vec::new();
    for Made { folder, name, in_known } in made {
        match name == ".git" {
            true => repository_of(workspace, &folder.join(name), &mut lines),
            // A folder of the command's own is like one that came from elsewhere.
            false if *in_known => aside(workspace, &folder.join(name), &mut lines),
            false => {}
        }
    }
    lines
}

fn repository_of(workspace: &Path, git: &Path, lines: &mut Vec<String>) {
    let path = workspace.join(git);
    if path.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
        let modules = repository::modules(&path);
        for repository in std::iter::once(path).chain(modules) {
            vet(workspace, &repository, lines);
        }
        return;
    }
    // A worktree or a submodule of a repository of the workspace; `.git/modules/x` names no other folder.
    match repository::elsewhere(&path).and_then(|target| own(workspace, &target)) {
        Some(repository) => vet(workspace, &repository, lines),
        None => aside(workspace, git, lines),
    }
}

/// The real path of a repository that is part of one in the workspace.
fn own(workspace: &Path, target: &Path) -> Option<PathBuf> {
    let real = target.canonicalize().ok()?;
    let below = real.strip_prefix(workspace).ok()?;
    let mut parts =
        below.components().map(|part| part.as_os_str()).skip_while(|part| *part != ".git").skip(1);
    parts.next().is_some_and(|kind| kind == "worktrees" || kind == "modules").then(|| real.clone())
}

/// Sets aside those parts of a repository that start programs.
fn vet(workspace: &Path, repository: &Path, lines: &mut Vec<String>) {
    let Ok(below) = repository.strip_prefix(workspace) else { return };
    let is_there = |name: &str| repository.join(name).symlink_metadata().is_ok();
    let is_worktree = is_there("gitdir");
    for (name, harmless) in [
        ("hooks", &samples_only as &dyn Fn(&Path) -> bool),
        ("config", &|path| text(path).is_some_and(|text| starts_nothing(&text))),
        ("config.worktree", &|_| false),
        ("commondir", &|path| is_worktree && text(path).is_some_and(|text| text.trim() == "../..")),
    ] {
        if is_there(name) && !harmless(&repository.join(name)) {
            aside(workspace, &below.join(name), lines);
        }
    }
}

fn samples_only(hooks: &Path) -> bool {
    let plain = |name: &str| name.ends_with(".sample") || name.starts_with("README");
    hooks.symlink_metadata().is_ok_and(|meta| meta.is_dir())
        && fs::read_dir(hooks).is_ok_and(|mut entries| {
            entries.all(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(plain)))
        })
}

/// The content of a file, unless it is none, is long, or is a link.
fn text(path: &Path) -> Option<String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(CWD, path, flags, Mode::empty()).ok()?);
    let meta = file.metadata().ok()?;
    if !meta.is_file() || meta.len() > MOST_BYTES {
        return None;
    }
    let mut text = String::new();
    file.take(MOST_BYTES).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Whether these settings name no program and no other settings. What is not plain does not count as that.
fn starts_nothing(settings: &str) -> bool {
    let mut known: &[&str] = &[];
    settings.lines().map(str::trim).all(|line| {
        if line.is_empty() || line.starts_with(['#', ';']) {
            return true;
        }
        if line.ends_with('\\') {
            return false;
        }
        if let Some(section) = line.strip_prefix('[') {
            let Some(section) = section.strip_suffix(']') else { return false };
            let (word, name) = section.split_once(' ').unwrap_or((section, "\"\""));
            let name = name.trim().strip_prefix('"').and_then(|name| name.strip_suffix('"'));
            // In quotes there could be what looks like the end, before something else.
            if name.is_none_or(|name| name.contains(['"', '\\'])) {
                return false;
            }
            let word = word.to_ascii_lowercase();
            known = HARMLESS.iter().find(|(name, _)| *name == word).map_or(&[], |(_, keys)| keys);
            return !known.is_empty();
        }
        let key = line.split('=').next().unwrap_or_default().trim().to_ascii_lowercase();
        known.contains(&key.as_str())
    })
}

fn aside(workspace: &Path, name: &Path, lines: &mut Vec<String>) {
    let shown = name.display();
    lines.push(match rename(workspace, name) {
        Ok(new) => format!(
            "`{shown}` is a protected name that was not there before: what the command made was set aside as `{new}`"
        ),
        Err(error) => {
            format!("`{shown}` is a protected name that was not there before, and could not be set aside: {error}")
        }
    });
}

/// Gives it a name that is free, in its folder. No link is followed, whatever another command does meanwhile.
fn rename(workspace: &Path, name: &Path) -> io::Result<String> {
    let bad = || io::Error::from(io::ErrorKind::InvalidInput);
    let last = name.file_name().and_then(|last| last.to_str()).ok_or_else(bad)?;
    let folder = workspace.join(name.parent().ok_or_else(bad)?);
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let folder = openat2(CWD, folder, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?;
    for number in 1..=MOST_NAMES {
        let new = match number {
            1 => format!("{last}.set-aside"),
            _ => format!("{last}.set-aside-{number}"),
        };
        match renameat_with(&folder, last, &folder, &new, RenameFlags::NOREPLACE) {
            Ok(()) => return Ok(name.with_file_name(new).display().to_string()),
            Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_start_nothing_are_told_from_others() {
        for harmless in [
            "",
            "[core]\n\trepositoryformatversion = 0\n\tbare = false\n[remote \"origin\"]\n\turl = x\n\tfetch = y\n",
            "# note\n[Branch \"a]b\"]\n\tMERGE=refs/heads/main\n",
        ] {
            assert!(starts_nothing(harmless), "{harmless}");
        }
        for harmful in [
            "[core]\n\tfsmonitor = x\n",
            "[core] fsmonitor = x\n",
            "[core \"x\"] fsmonitor = \"]\n",
            "[core]\n\tbare = \\\n\tfsmonitor = x\n",
            "[include]\n\tpath = x\n",
            "[core.x]\n\tbare = 1\n",
            "[remote \"x\"]\n\tuploadpack = x\n",
            "\u{feff}[core]\n",
            "bare = 1\n",
        ] {
            assert!(!starts_nothing(harmful), "{harmful}");
        }
    }
}
