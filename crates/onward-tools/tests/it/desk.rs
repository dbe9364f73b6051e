//! A workspace with its tools, and what a runtime lends to a call.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use onward_event::{
    ArtifactId, CallId, Handle, JobId, Part, ResultStatus, Semantics, Timestamp, ToolStart, Workspace,
    text_of,
};
use onward_port::{
    ArtifactReader, BoxFuture, Cancel, CheckedInput, JobView, Jobs, NewArtifact, Tool, ToolFault, ToolIo,
    ToolOutcome, ToolPlan, ToolReport, ToolSet,
};
use onward_test::DirectExecutor;
use onward_tools::{ToolLimits, ToolsConfig, builtin};
use serde_json::Value;
use tempfile::TempDir;
use tokio::sync::watch;

/// One workspace.
pub(crate) struct Desk {
    _folder: TempDir,
    pub(crate) root: PathBuf,
    pub(crate) tools: ToolSet,
    pub(crate) cancel: Arc<Stop>,
    artifacts: Arc<Shelf>,
}

impl Desk {
    pub(crate) fn new() -> Self {
        Self::with(ToolLimits::default())
    }

    pub(crate) fn with(limits: ToolLimits) -> Self {
        Self::in_folder("w", "", limits)
    }

    /// A workspace `name` in a fresh folder, working in `dir` below it.
    pub(crate) fn in_folder(name: &str, dir: &str, limits: ToolLimits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join(name);
        fs::create_dir_all(root.join(dir)).unwrap();
        let workspace = Workspace { root: text(&root), dir: text(&root.join(dir)) };
        let tools = builtin(config(limits), &workspace).unwrap();
        Self { _folder: folder, root, tools, cancel: Arc::default(), artifacts: Arc::default() }
    }

    /// A path in the workspace.
    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Puts a file there.
    pub(crate) fn file(&self, path: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let at = self.at(path);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(&at, content).unwrap();
        at
    }

    pub(crate) fn content(&self, path: &str) -> Vec<u8> {
        fs::read(self.at(path)).unwrap()
    }

    pub(crate) fn text(&self, path: &str) -> String {
        String::from_utf8(self.content(path)).unwrap()
    }

    pub(crate) fn link(&self, target: impl AsRef<Path>, path: &str) {
        std::os::unix::fs::symlink(target, self.at(path)).unwrap();
    }

    pub(crate) fn tool(&self, name: &str) -> &Arc<dyn Tool> {
        self.tools.get(name).unwrap()
    }

    pub(crate) fn io(&self) -> ToolIo {
        ToolIo {
            cancel: self.cancel.clone(),
            artifact: ArtifactId::from_bits(7),
            artifacts: self.artifacts.clone(),
            jobs: Arc::new(NoJobs),
        }
    }

    pub(crate) fn store(&self, artifact: &NewArtifact) {
        self.artifacts.0.lock().unwrap().insert(artifact.id, artifact.bytes.clone());
    }

    pub(crate) fn check(&self, tool: &str, input: Value) -> Result<CheckedInput, Vec<String>> {
        self.tool(tool).check(&input)
    }

    pub(crate) async fn plan(&self, tool: &str, input: Value) -> Result<ToolPlan, ToolFault> {
        let checked = self.check(tool, input).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        self.tool(tool).plan(&checked.input).await
    }

    /// Plans the call, and says what its start would record.
    pub(crate) async fn start(&self, tool: &str, input: Value) -> (Value, ToolStart) {
        let checked = self.check(tool, input).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let plan = self.tool(tool).plan(&checked.input).await.unwrap();
        (checked.input, started(plan.semantics))
    }

    pub(crate) async fn run(&self, tool: &str, input: &Value, start: &ToolStart) -> ToolOutcome {
        self.tool(tool).run(input, start, &self.io()).await
    }

    /// The whole way: check, plan, run.
    pub(crate) async fn outcome(&self, tool: &str, input: Value) -> ToolOutcome {
        let checked = match self.check(tool, input) {
            Ok(checked) => checked,
            Err(wrong) => {
                let fault = ToolFault::new("invalid_arguments", wrong.join("\n"));
                return ToolOutcome::Finished(ToolReport::fault(fault));
            }
        };
        match self.tool(tool).plan(&checked.input).await {
            Ok(plan) => self.run(tool, &checked.input, &started(plan.semantics)).await,
            Err(fault) => ToolOutcome::Finished(ToolReport::fault(fault)),
        }
    }

    pub(crate) async fn report(&self, tool: &str, input: Value) -> ToolReport {
        match self.outcome(tool, input).await {
            ToolOutcome::Finished(report) => report,
            other => panic!("{other:?}"),
        }
    }

    /// The whole way, and the answer as text: `ok`, the error's code or `timeout`, then what the model sees.
    pub(crate) async fn call(&self, tool: &str, input: Value) -> String {
        self.shown(&self.outcome(tool, input).await)
    }

    /// An outcome as text, the workspace's own path replaced.
    pub(crate) fn shown(&self, outcome: &ToolOutcome) -> String {
        let text = match outcome {
            ToolOutcome::Finished(report) => {
                let status = match &report.status {
                    ResultStatus::Ok => "ok".into(),
                    ResultStatus::Error { code, .. } => format!("error {code}"),
                    ResultStatus::Timeout => "timeout".into(),
                };
                format!("({status}) {}", text_of(&report.content))
            }
            ToolOutcome::Cancelled { content } => format!("(cancelled) {content}"),
            ToolOutcome::Unknown { content } => format!("(unknown) {content}"),
            ToolOutcome::InBackground { command } => format!("(background) {command}"),
        };
        self.redacted(&text)
    }

    pub(crate) fn redacted(&self, text: &str) -> String {
        text.replace(&self.root.to_string_lossy().into_owned(), "<root>").trim_end().to_owned()
    }
}

pub(crate) fn config(limits: ToolLimits) -> ToolsConfig {
    let environment =
        vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into()), ("LC_ALL".into(), "C".into())];
    ToolsConfig { shell: "/bin/sh".into(), environment, executor: Arc::new(DirectExecutor), limits }
}

pub(crate) fn started(semantics: Semantics) -> ToolStart {
    ToolStart {
        call: CallId::from_bits(1),
        run: 1,
        semantics,
        handle: Handle::Supervised {
            name: "session.call.1".into(),
            place: DirectExecutor::here(),
            background: false,
        },
        sandbox: None,
        rendered: None,
    }
}

pub(crate) fn text_of_report(report: &ToolReport) -> String {
    assert!(report.content.iter().all(|part| matches!(part, Part::Text(_))));
    text_of(&report.content)
}

/// Whether this process may do everything, so that permissions forbid nothing.
pub(crate) fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn text(path: &Path) -> String {
    path.to_str().unwrap().into()
}

/// A signal to stop.
pub(crate) struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Stop {
    pub(crate) fn stop(&self) {
        self.0.send_replace(true);
    }
}

impl Cancel for Stop {
    fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
        })
    }
}

/// Stored results.
#[derive(Default)]
struct Shelf(Mutex<HashMap<ArtifactId, Bytes>>);

impl ArtifactReader for Shelf {
    fn read(&self, id: ArtifactId) -> BoxFuture<'_, Result<Bytes, ToolFault>> {
        let found = self.0.lock().unwrap().get(&id).cloned();
        let found = found.ok_or_else(|| ToolFault::new("not_found", format!("there is no artifact {id}")));
        Box::pin(std::future::ready(found))
    }
}

/// There are no jobs.
struct NoJobs;

impl Jobs for NoJobs {
    fn list(&self) -> Vec<JobView> {
        Vec::new()
    }

    fn ended<'a>(&'a self, _: JobId, _: &'a dyn Cancel) -> BoxFuture<'a, Option<JobView>> {
        Box::pin(std::future::ready(None))
    }

    fn cancel(&self, id: JobId) -> BoxFuture<'_, Result<(), ToolFault>> {
        Box::pin(std::future::ready(Err(ToolFault::new("not_found", format!("there is no job {id} here")))))
    }

    fn now(&self) -> Timestamp {
        Timestamp::default()
    }
}
