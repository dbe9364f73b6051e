//! What a call of `shell` costs beyond starting and waiting for the same program.
//!
//! `cargo bench -p onward-tools`. Prints the median of each way to run `<shell> -c :`, in microseconds.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and ends when it cannot go on"
)]

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use onward_event::{ArtifactId, CallId, Handle, ToolStart, Workspace};
use onward_port::{ArtifactReader, BoxFuture, Cancel, ToolFault, ToolIo, ToolOutcome};
use onward_tools::{ToolLimits, ToolsConfig, builtin, default_shell};
use serde_json::json;

const ROUNDS: usize = 400;

struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }
    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}

impl ArtifactReader for Never {
    fn read(&self, _: ArtifactId) -> BoxFuture<'_, Result<bytes::Bytes, ToolFault>> {
        Box::pin(std::future::ready(Err(ToolFault::new("not_found", "nothing is stored"))))
    }
}

fn main() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_str().unwrap().to_owned();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (mut bare, mut tokio, mut tool) = (Vec::new(), Vec::new(), Vec::new());
    let call = Call::new(&root);
    // Turn by turn, so that whatever else the machine does falls on all of them.
    for _ in 0..ROUNDS {
        bare.push(bare_spawn(&root));
        tokio.push(runtime.block_on(runtime.spawn(tokio_spawn(root.clone()))).unwrap());
        tool.push(runtime.block_on(runtime.spawn(call.clone().run())).unwrap());
    }
    let (bare, tokio, tool) = (median(bare), median(tokio), median(tool));
    println!("std spawn and wait    {bare:>7} µs");
    println!("tokio spawn and wait  {tokio:>7} µs");
    println!("shell tool            {tool:>7} µs, {} µs over std", tool.saturating_sub(bare));
}

fn bare_spawn(root: &str) -> Duration {
    let begun = Instant::now();
    let mut command = Command::new(default_shell());
    command.args(["-c", ":"]).current_dir(root).env_clear();
    assert!(
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    );
    begun.elapsed()
}

async fn tokio_spawn(root: String) -> Duration {
    let begun = Instant::now();
    let mut command = tokio::process::Command::new(default_shell());
    command.args(["-c", ":"]).current_dir(root).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    assert!(command.status().await.unwrap().success());
    begun.elapsed()
}

#[derive(Clone)]
struct Call {
    tools: onward_port::ToolSet,
    start: ToolStart,
    io: ToolIo,
}

impl Call {
    fn new(root: &str) -> Self {
        let limits = ToolLimits::default();
        let config = ToolsConfig { shell: default_shell(), environment: Vec::new(), executor: None, limits };
        let tools = builtin(config, &Workspace { root: root.into(), dir: root.into() }).unwrap();
        let semantics =
            onward_event::Semantics::Possible(onward_event::Recovery::Manual(onward_event::OnUnknown::Ask));
        let start = ToolStart {
            call: CallId::from_bits(1),
            run: 1,
            semantics,
            handle: Handle::InProcess,
            sandbox: None,
            rendered: None,
        };
        let io = ToolIo {
            cancel: Arc::new(Never),
            artifact: ArtifactId::from_bits(1),
            artifacts: Arc::new(Never),
            jobs: Arc::new(onward_port::NoJobs),
        };
        Self { tools, start, io }
    }

    async fn run(self) -> Duration {
        let input = json!({ "command": ":" });
        let begun = Instant::now();
        let outcome = self.tools.get("shell").unwrap().run(&input, &self.start, &self.io).await;
        let taken = begun.elapsed();
        assert!(matches!(outcome, ToolOutcome::Finished(_)));
        taken
    }
}

fn median(mut times: Vec<Duration>) -> u128 {
    times.sort();
    times[times.len() / 2].as_micros()
}
