//! What the tools are told by their caller: plain data, decided once at the edge of the program.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use onward_port::Executor;

/// How the built-in tools work.
#[derive(Clone, Debug)]
pub struct ToolsConfig {
    /// The program that runs commands, as `<shell> -c <command>`; absolute.
    pub shell: PathBuf,
    /// The whole environment of commands; nothing is added to it and nothing is inherited.
    pub environment: Vec<(String, String)>,
    /// Runs commands: there is no other way to a process.
    pub executor: Arc<dyn Executor>,
    /// How much is read, shown, kept and waited for.
    pub limits: ToolLimits,
}

/// The named limits of the tools. Whatever a limit cuts is said in the answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolLimits {
    /// Bytes that one `read` or `read_artifact` shows.
    pub max_read_bytes: usize,
    /// Lines that one `read` shows when the model names no number; also the most that it may name.
    pub max_read_lines: u64,
    /// Bytes of one line that `read` and `grep` show.
    pub max_line_bytes: usize,
    /// Bytes that one `read` passes over to find its first line and to count the lines.
    pub max_scan_bytes: u64,
    /// Bytes of a file that `write` and `edit` make or replace.
    pub max_write_bytes: u64,
    /// Bytes of a preview that people are shown.
    pub max_preview_bytes: usize,
    /// Entries that one `list` or `glob` shows.
    pub max_entries: usize,
    /// Entries that one `list`, `glob` or `grep` visits.
    pub max_walked: usize,
    /// Matching lines that one `grep` shows; what it shows unless told is a tenth of it.
    pub max_matches: u64,
    /// Lines of context around a match.
    pub max_context: u64,
    /// Bytes of a command's output that the model is shown: its head and its tail.
    pub max_output_bytes: usize,
    /// Bytes of a command's output that are kept as an artifact; the rest is counted and dropped.
    pub max_artifact_bytes: usize,
    /// How long a command may run when the model names no time.
    pub shell_timeout: Duration,
    /// The longest time that the model may name.
    pub max_shell_timeout: Duration,
    /// How long a command may run in the background when the model names no time.
    pub job_timeout: Duration,
    /// The longest time that the model may name for a command in the background.
    pub max_job_timeout: Duration,
    /// The longest time that one `job_wait` waits.
    pub max_job_wait: Duration,
    /// How long processes have between the request to end and being killed.
    pub kill_grace: Duration,
}

impl Default for ToolLimits {
    fn default() -> Self {
        Self {
            max_read_bytes: 64 << 10,
            max_read_lines: 2_000,
            max_line_bytes: 2_000,
            max_scan_bytes: 1 << 30,
            max_write_bytes: 16 << 20,
            max_preview_bytes: 64 << 10,
            max_entries: 1_000,
            max_walked: 500_000,
            max_matches: 1_000,
            max_context: 20,
            max_output_bytes: 30 << 10,
            max_artifact_bytes: 16 << 20,
            shell_timeout: Duration::from_secs(120),
            max_shell_timeout: Duration::from_secs(3_600),
            job_timeout: Duration::from_secs(3_600),
            max_job_timeout: Duration::from_secs(86_400),
            max_job_wait: Duration::from_secs(600),
            kill_grace: Duration::from_secs(2),
        }
    }
}
