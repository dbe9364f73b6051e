//! How commands are to be contained: what a person chose, as plain data.

use onward_event::{NetworkAccess, Tier};
use serde::{Deserialize, Serialize};

/// Bytes of data that one process may have.
pub const DEFAULT_MEMORY_BYTES: u64 = 16 << 30;
/// Processes and threads of one command.
pub const DEFAULT_PROCESSES: u64 = 4_096;
/// Bytes of the largest file that a command may write.
pub const DEFAULT_FILE_BYTES: u64 = 16 << 30;
/// Files that one process may have open.
pub const DEFAULT_OPEN_FILES: u64 = 65_536;
/// Bytes of a command's own `/tmp`; it is memory.
pub const DEFAULT_TEMPORARY_BYTES: u64 = 2 << 30;

/// Names in a workspace that start programs on the person's side: no command changes them, and none makes them.
pub const PROTECTED: &[&str] =
    &[".git/hooks", ".git/config", ".onward", ".mcp.json", ".claude", ".cursor", ".vscode", ".idea"];

/// Names in a home folder that start programs: protected where the workspace is one.
pub const PROTECTED_AT_HOME: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".bash_login",
    ".bash_logout",
    ".profile",
    ".zshrc",
    ".zshenv",
    ".zprofile",
    ".zlogin",
    ".config/fish",
    ".config/git",
    ".config/autostart",
    ".config/systemd",
    ".gitconfig",
    ".inputrc",
    ".local/bin",
    ".ssh",
];

/// What is known to hold secrets in a home folder.
pub const SECRETS_AT_HOME: &[&str] = &[
    ".ssh",
    ".aws",
    ".gnupg",
    ".azure",
    ".kube",
    ".docker",
    ".netrc",
    ".git-credentials",
    ".pypirc",
    ".vault-token",
    ".password-store",
    ".config/gh",
    ".config/gcloud",
    ".config/hub",
    ".config/git/credentials",
    ".config/op",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".local/share/keyrings",
    ".mozilla",
];

/// Which tier is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The strongest that the machine has; without any, nothing runs.
    #[default]
    Auto,
    /// This one; where it cannot be had, nothing runs.
    Exactly(Tier),
    /// None: somebody said so in so many words.
    Waived,
}

/// How commands are contained.
#[derive(Clone, Debug)]
pub struct SandboxSetup {
    /// By what.
    pub choice: Choice,
    /// The network, at most.
    pub network: NetworkAccess,
    /// Folders beside the workspace that commands may change; absolute, without symbolic links.
    pub writable: Vec<String>,
    /// Files and folders whose content no command sees; absolute.
    pub hidden: Vec<String>,
    /// Names below the workspace that no command changes or makes.
    pub protected: Vec<String>,
    /// The person's home folder: where a workspace holds it, the names that start programs there are protected too.
    pub home: Option<String>,
    /// The limits of a command.
    pub limits: Limits,
}

/// The limits of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Bytes of data of one process.
    pub memory: u64,
    /// Processes and threads together. In the tier of namespaces only: elsewhere the system counts all of a user's.
    pub processes: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Open files of one process.
    pub open_files: u64,
    /// Bytes of the command's own temporary folder. In the tier of namespaces only.
    pub temporary: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: DEFAULT_MEMORY_BYTES,
            processes: DEFAULT_PROCESSES,
            file: DEFAULT_FILE_BYTES,
            open_files: DEFAULT_OPEN_FILES,
            temporary: DEFAULT_TEMPORARY_BYTES,
        }
    }
}

impl SandboxSetup {
    /// The strongest tier, no network, and the usual names and limits.
    pub fn strict() -> Self {
        Self {
            choice: Choice::Auto,
            network: NetworkAccess::Closed,
            writable: Vec::new(),
            hidden: Vec::new(),
            protected: PROTECTED.iter().map(|name| (*name).to_owned()).collect(),
            home: None,
            limits: Limits::default(),
        }
    }

    /// No containment at all.
    pub fn waived() -> Self {
        Self { choice: Choice::Waived, network: NetworkAccess::Open, ..Self::strict() }
    }
}
