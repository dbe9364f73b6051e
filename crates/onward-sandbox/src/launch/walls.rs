//! Landlock: which files, ports and processes a command reaches, by rules that it can only tighten.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetStatus, Scope,
};

use super::failure::{Failure, Step as _};
use super::tree_fd::open_exact;

/// The newest version that is known here. What a kernel lacks of it is left out; the probe names what that is.
const NEWEST: ABI = ABI::V6;

/// What a command reaches.
pub(super) struct Walls {
    /// Files and folders whose content it reads, and which it runs.
    pub(super) read: Vec<PathBuf>,
    /// What it changes.
    pub(super) write: Vec<PathBuf>,
    /// Folders whose devices it asks for more than to read and write.
    pub(super) devices: Vec<PathBuf>,
    /// Whether it may use TCP. Denied only where something else does not deny it already.
    pub(super) tcp: bool,
}

impl Walls {
    /// Applies the rules to this process and all that it starts, for ever.
    ///
    /// # Errors
    /// When a rule cannot be made, and when `must` says that there must be rules and the kernel has none.
    pub(super) fn apply(&self, must: bool) -> Result<(), Failure> {
        let mut write = Vec::with_capacity(self.write.len());
        for path in &self.write {
            match open_exact(path) {
                Ok(opened) => write.push((path.as_path(), opened)),
                // What is not there stays out of reach.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                // An earlier command may have put a symbolic link there, to what it may not change.
                Err(error) => return Err(error).step(format_args!("open {}", path.display())),
            }
        }
        let status = self.restrict(write).map_err(io::Error::other).step("apply the rules of Landlock")?;
        match status {
            RulesetStatus::NotEnforced if must => Err(Failure::new("this kernel does not enforce Landlock")),
            _ => Ok(()),
        }
    }

    fn restrict(&self, write: Vec<(&Path, OwnedFd)>) -> Result<RulesetStatus, landlock::RulesetError> {
        let mut ruleset = Ruleset::default().handle_access(AccessFs::from_all(NEWEST))?;
        if !self.tcp {
            ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
        }
        let mut rules = ruleset.scope(Scope::from_all(NEWEST))?.create()?;
        // Names are seen everywhere: a rule counts for all below its folder, so that those of `/` and those of the home
        // folder could not be had without those of what is hidden.
        rules = allow(rules, Path::new("/"), AccessFs::ReadDir.into())?;
        for path in &self.read {
            rules = allow(rules, path, AccessFs::from_read(NEWEST))?;
        }
        for (path, opened) in write {
            let all = AccessFs::from_all(NEWEST) & !BitFlags::from(AccessFs::IoctlDev);
            let access = if path.is_dir() { all } else { all & AccessFs::from_file(NEWEST) };
            rules = rules.add_rule(PathBeneath::new(opened, access))?;
        }
        for path in &self.devices {
            let usual = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev;
            rules = allow(rules, path, usual)?;
        }
        Ok(rules.restrict_self()?.ruleset)
    }
}

/// Adds a rule for a path. One that is not there, or is out of reach, needs none: it stays out of reach.
fn allow(
    rules: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, landlock::RulesetError> {
    let Ok(opened) = PathFd::new(path) else { return Ok(rules) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(NEWEST) };
    rules.add_rule(PathBeneath::new(opened, access))
}

/// What of the file system can be read when these paths cannot: as few paths as say it.
pub(super) fn all_but(hidden: &[String]) -> Vec<PathBuf> {
    let mut real: Vec<PathBuf> =
        hidden.iter().filter_map(|path| Path::new(path).canonicalize().ok()).collect();
    real.sort();
    let mut readable = Vec::new();
    collect(Path::new("/"), &real, &mut readable);
    readable
}

fn collect(folder: &Path, hidden: &[PathBuf], readable: &mut Vec<PathBuf>) {
    if hidden.iter().any(|path| path == folder) {
        return;
    }
    if !hidden.iter().any(|path| path.starts_with(folder)) {
        readable.push(folder.to_owned());
        return;
    }
    // A folder that cannot be listed stays closed.
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        // What a symbolic link leads to has its own place; a rule on the link would be one on its target.
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            collect(&entry.path(), hidden, readable);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_but_the_hidden_is_readable_and_nothing_around_it_is_lost() {
        let temp = tempfile::tempdir().unwrap();
        let root = temp.path().canonicalize().unwrap();
        for name in ["a", "secret/deep", "b/secret", "b/open"] {
            std::fs::create_dir_all(root.join(name)).unwrap();
        }
        std::os::unix::fs::symlink(root.join("secret"), root.join("link")).unwrap();
        let readable =
            all_but(&["secret", "b/secret", "absent"].map(|name| root.join(name).display().to_string()));
        let mut below: Vec<_> = readable.iter().filter_map(|path| path.strip_prefix(&root).ok()).collect();
        below.sort();
        assert_eq!(below, [Path::new("a"), Path::new("b/open")]);
        assert!(readable.contains(&PathBuf::from("/usr")) || readable.contains(&PathBuf::from("/bin")));
        assert_eq!(all_but(&[]), [PathBuf::from("/")]);
    }
}
