//! The built-in tools: files, search, commands, stored results. One file each, behind [`onward_port::Tool`].
//!
//! | tool | does | risk | effects and recovery |
//! |---|---|---|---|
//! | `read` | lines of a text file, numbered | read | none, may run again |
//! | `list` | entries of a folder | read | none, may run again |
//! | `glob` | files whose path matches a pattern | read | none, may run again |
//! | `grep` | lines that match a regular expression | read | none, may run again |
//! | `write` | a whole file, new or replaced | write | possible; reconciled by the content before and after |
//! | `edit` | an exact text in a file, replaced | write | possible; reconciled by the content before and after |
//! | `shell` | a command, with everything that it starts | shell | possible; attached to again under its supervisor; where that is gone nobody can find out by machine, so: ask |
//! | `read_artifact` | a stored result, by range | read | none, may run again |
//! | `jobs` | commands in the background | read | none, may run again |
//! | `job_output` | what one has said, by range | read | none, may run again |
//! | `job_wait` | the end of one, bounded | read | none, may run again |
//! | `job_cancel` | ends one | read | asking twice is asking once |
//!
//! What holds for all of them:
//!
//! - `check` never looks at the disk. It normalises paths by name: relative to the working folder, absolute only when
//!   outside the workspace, which `plan` then refuses. Checking a canonical input again changes nothing.
//! - File tools reach the workspace through one open handle on its root: neither `..` nor a symbolic link nor a race
//!   leads outside. Links that stay inside are followed, and what is changed is the file behind them. A pipe, a
//!   socket or a device is never opened for its content.
//! - `.git` and `.onward` are read, and never written by `write` or `edit`.
//! - A file is changed by renaming a finished one over it, when both are on disk. It keeps its permission bits; other
//!   hard links keep the old content, which the preview says.
//! - No process is started here: a command goes to the [`onward_port::Executor`], which contains it and owns all that
//!   descends from it. When a call of `shell` has ended, nothing of its command is left, or the answer is that the
//!   outcome is unknown.
//! - Everything is bounded by [`ToolLimits`], and whatever is cut is said to be cut.
//!
//! Nothing here reads the environment, the home folder or the current directory.

mod blocking;
mod builtin;
mod change;
mod config;
mod documents;
mod error;
mod files;
mod input;
mod preview;
mod schema;
mod text;
mod tools;
mod typed;

pub use builtin::{builtin, builtin_names};
pub use config::{ToolLimits, ToolsConfig};
pub use documents::{AgentDocuments, MAX_DOCUMENT_BYTES};
pub use error::ToolsError;
