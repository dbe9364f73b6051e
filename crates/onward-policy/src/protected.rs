//! Names in a workspace that make programs run on the person's side: their editor, their shell, their version control,
//! their continuous integration execute or trust what stands there (seed, section 3).
//!
//! What a sandbox keeps commands from changing is among them, and more: here a person can still say yes. Names count at
//! any depth, because tools are started in subfolders too, and in any case, because a file system may not tell them
//! apart. Notes for agents (`AGENTS.md`) are text, and are not among them.

use std::path::Path;

use crate::globs::below;
use crate::wild;

/// Files and folders, in lower case; what lies below a folder counts too.
const NAMES: &[&str] = &[
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".bashrc",
    ".cargo/config",
    ".cargo/config.toml",
    ".claude",
    ".config/autostart",
    ".config/fish",
    ".config/git",
    ".config/systemd",
    ".cursor",
    ".devcontainer",
    ".devcontainer.json",
    ".envrc",
    ".git/commondir",
    ".git/config",
    ".git/config.worktree",
    ".git/hooks",
    ".gitattributes",
    ".gitconfig",
    ".github/workflows",
    ".gitmodules",
    ".husky",
    ".idea",
    ".inputrc",
    ".local/bin",
    ".mcp.json",
    ".npmrc",
    ".onward",
    ".pre-commit-config.yaml",
    ".profile",
    ".ssh",
    ".vscode",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
];

/// Whether a path in the workspace is one of these names, or below one.
pub(crate) fn is_protected(path: &str, workspace: &str) -> bool {
    let Some(rest) = below(path, workspace) else { return false };
    let rest = format!("{}/", rest.to_lowercase());
    NAMES.iter().any(|name| rest.contains(&format!("/{name}/")))
}

/// Whether a path is what one of these names leads to, or below that, where the name is a symbolic link at the root of the
/// workspace or stands behind one.
pub(crate) fn is_behind_protected(path: &str, workspace: &str) -> bool {
    NAMES.iter().any(|name| {
        let name = Path::new(workspace).join(name);
        name.canonicalize().is_ok_and(|real| real != name && Path::new(path).starts_with(real))
    })
}

/// Whether a word that stands for names could stand for one of these, or for something below it.
pub(crate) fn may_be_protected(word: &str) -> bool {
    wild::is_wild(word) && NAMES.iter().any(|names| wild::may_hold(word, names))
}

#[cfg(test)]
mod tests {
    use super::is_protected;

    #[test]
    fn names_count_at_any_depth_in_any_case_and_as_whole_components() {
        for path in [
            ".vscode/tasks.json",
            "sub/.VSCODE/tasks.json",
            ".git/hooks/x",
            ".husky",
            "a/b/.Cargo/Config.toml",
        ] {
            assert!(is_protected(&format!("/w/{path}"), "/w"), "{path}");
        }
        for path in
            [".vscode-x/a", "x.vscode/a", ".github/labels.yml", "AGENTS.md", "CLAUDE.md", ".git/index", ""]
        {
            assert!(!is_protected(&format!("/w/{path}"), "/w"), "{path}");
        }
        assert!(!is_protected("/home/.claude/worktrees/w/a.rs", "/home/.claude/worktrees/w"));
    }
}
