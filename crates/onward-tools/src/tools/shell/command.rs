//! What is to run, and how: everything that an execution is told.

use std::path::Path;
use std::time::Duration;

use onward_event::{FileAccess, NetworkAccess, Rendered, Sandbox, Tier};
use onward_port::ExecutionSpec;

use crate::config::ToolLimits;

/// What a `tool/start` means that was recorded before commands were contained.
const UNCONTAINED: Sandbox = Sandbox {
    tier: Tier::None,
    files: FileAccess::WorkspaceWrite,
    network: NetworkAccess::Open,
    writable: Vec::new(),
};

/// A command to run.
pub(super) struct Command<'a> {
    /// The shell.
    pub(super) program: &'a Path,
    /// What it runs.
    pub(super) script: &'a str,
    /// What runs in place of `script`: it was made from what was judged.
    pub(super) rendered: Option<&'a Rendered>,
    /// How it is contained.
    pub(super) sandbox: Option<&'a Sandbox>,
    /// The workspace; absolute.
    pub(super) workspace: String,
    /// Where; absolute.
    pub(super) folder: &'a str,
    /// With which environment.
    pub(super) environment: &'a [(String, String)],
    /// For how long at most.
    pub(super) time: Duration,
    /// The limits.
    pub(super) limits: &'a ToolLimits,
}

impl Command<'_> {
    /// For an executor.
    pub(super) fn spec(&self) -> ExecutionSpec {
        ExecutionSpec {
            argv: self.argv(),
            sandbox: self.sandbox.cloned().unwrap_or(UNCONTAINED),
            workspace: self.workspace.clone(),
            environment: self.environment.to_vec(),
            dir: self.folder.into(),
            timeout: self.time,
            grace: self.limits.kill_grace,
            kept_bytes: self.limits.max_artifact_bytes as u64,
            tail_bytes: self.limits.max_output_bytes as u64,
        }
    }

    fn argv(&self) -> Vec<String> {
        let by_shell =
            |script: &str| vec![self.program.to_string_lossy().into_owned(), "-c".into(), script.into()];
        match self.rendered {
            Some(Rendered::Argv(argv)) => argv.clone(),
            Some(Rendered::Script(script)) => by_shell(script),
            None => by_shell(self.script),
        }
    }
}
