//! Killing oneself at a chosen point: decorators around the real ports, so that nothing below them has hooks.

use std::sync::Arc;
use std::time::Duration;

use onward_event::ToolStart;
use onward_port::{BoxFuture, ForwardTool, Tool, ToolIo, ToolOutcome, ToolSet};
use rustix::process::{Signal, getpid, kill_process};
use serde_json::Value;

/// How far into a command the kill comes: it runs for two seconds.
const INTO_COMMAND: Duration = Duration::from_millis(300);

/// When a worker kills itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kill {
    /// Never.
    Never,
    /// When an edit was applied, and before its result is recorded.
    AfterEdit,
    /// While a command runs.
    DuringShell,
    /// Right before the owner's commit of this number, counted from 1: what it says has happened, and nobody knows.
    BeforeCommit(u32),
    /// Right after the owner's commit of this number, counted from 1: what it allows has not begun.
    AfterCommit(u32),
}

impl Kill {
    /// From the word that a worker is given: `never`, `edit`, `shell`, `before-commit:N`, `commit:N`.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        match (word, word.split_once(':')) {
            ("never", _) => Some(Self::Never),
            ("edit", _) => Some(Self::AfterEdit),
            ("shell", _) => Some(Self::DuringShell),
            (_, Some(("before-commit", nth))) => nth.parse().ok().map(Self::BeforeCommit),
            (_, Some(("commit", nth))) => nth.parse().ok().map(Self::AfterCommit),
            _ => None,
        }
    }

    /// The tools, with the one that the kill is about wrapped.
    pub(super) fn arm(self, tools: &ToolSet) -> ToolSet {
        ToolSet::new(tools.iter().map(|tool| -> Arc<dyn Tool> {
            let armed = match (self, tool.definition().name.as_str()) {
                (Self::AfterEdit, "edit") | (Self::DuringShell, "shell") => self,
                _ => return tool.clone(),
            };
            Arc::new(Armed { inner: tool.clone(), kill: armed })
        }))
    }
}

struct Armed {
    inner: Arc<dyn Tool>,
    kill: Kill,
}

impl ForwardTool for Armed {
    fn inner(&self) -> &dyn Tool {
        self.inner.as_ref()
    }

    fn run<'a>(
        &'a self,
        input: &'a Value,
        start: &'a ToolStart,
        io: &'a ToolIo,
    ) -> BoxFuture<'a, ToolOutcome> {
        Box::pin(async move {
            if self.kill == Kill::DuringShell {
                tokio::select! {
                    outcome = self.inner.run(input, start, io) => return outcome,
                    () = tokio::time::sleep(INTO_COMMAND) => {}
                }
            } else {
                // It has had its effect; nobody will hear of it.
                let _ = self.inner.run(input, start, io).await;
            }
            kill_this_process();
            std::future::pending().await
        })
    }
}

/// SIGKILL to this very process: no destructor runs, nothing is flushed.
pub(super) fn kill_this_process() {
    let _ = kill_process(getpid(), Signal::KILL);
}
