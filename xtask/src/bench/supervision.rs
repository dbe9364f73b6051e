//! What a supervisor adds to a command: the same command under one and without, in pairs.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use onward_event::{FileAccess, NetworkAccess, Sandbox, Tier};
use onward_port::{BoxFuture, Cancel, Execution, ExecutionEnd, ExecutionSpec, Executor as _};
use onward_sandbox::{SandboxSetup, SupervisedExecutor};
use tokio::process::Command;

use crate::inside::block_on;
use crate::report::Row;
use crate::scene::Scene;
use crate::stats::Sample;

/// The word that makes the program a supervisor.
const SUPERVISOR: &str = "supervise-command";

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let pairs = scene.pick(400, 60);
    let base = scene.scratch.folder("supervision")?;
    let (program, words) = (scene.binary().to_owned(), vec![SUPERVISOR.into()]);
    let executor = SupervisedExecutor::new(base.clone(), program, words, SandboxSetup::waived());
    let (plain, supervised) = block_on(measure_pairs(&executor, &base, pairs))?;
    let added = plain.iter().zip(&supervised).map(|(plain, supervised)| millis(*supervised) - millis(*plain));
    let (added, plain, supervised) =
        (Sample::new(added), Sample::millis(plain.clone()), Sample::millis(supervised.clone()));
    Ok(vec![
        Row::new(
            format!("what supervision adds to a call, {pairs} pairs"),
            format!("{:.2} ms median, {:.2} p95", added.median(), added.p95()),
        )
        .at_most("5 ms", &[added.median()], &[5.0]),
        Row::new(
            "the command alone / under its supervisor",
            format!("{:.2} / {:.2} ms median", plain.median(), supervised.median()),
        ),
    ])
}

/// Each command twice; which way comes first alternates, so that neither always finds what the other has warmed.
async fn measure_pairs(
    executor: &SupervisedExecutor,
    dir: &Path,
    pairs: usize,
) -> anyhow::Result<(Vec<Duration>, Vec<Duration>)> {
    let (mut plain, mut supervised) = (Vec::with_capacity(pairs), Vec::with_capacity(pairs));
    // The first pair reads both programs from the disk.
    run_plainly(dir, 0).await?;
    run_supervised(executor, dir, 0).await?;
    for n in 1..=pairs {
        if n % 2 == 0 {
            plain.push(run_plainly(dir, n).await?);
            supervised.push(run_supervised(executor, dir, n).await?);
        } else {
            supervised.push(run_supervised(executor, dir, n).await?);
            plain.push(run_plainly(dir, n).await?);
        }
    }
    Ok((plain, supervised))
}

/// As somebody does who keeps nothing: a child, a pipe, its end.
async fn run_plainly(dir: &Path, n: usize) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", &line(n)]).env_clear().current_dir(dir).stdin(Stdio::null());
    let output = command.output().await.context("a command cannot be started")?;
    let took = begun.elapsed();
    ensure!(output.stdout == said(n), "a command said something else than it was told to");
    Ok(took)
}

/// As a call of the shell does: its folder, its supervisor, its result, and the folder's end.
async fn run_supervised(executor: &SupervisedExecutor, dir: &Path, n: usize) -> anyhow::Result<Duration> {
    let begun = Instant::now();
    let name = format!("bench.{n}");
    let spec = ExecutionSpec {
        argv: vec!["/bin/sh".into(), "-c".into(), line(n)],
        environment: Vec::new(),
        sandbox: UNCONTAINED,
        workspace: dir.to_str().context("the folder's name is not text")?.to_owned(),
        dir: dir.to_str().context("the folder's name is not text")?.to_owned(),
        timeout: Duration::from_secs(60),
        grace: Duration::from_secs(1),
        kept_bytes: 64 * 1024,
        tail_bytes: 1024,
    };
    if let Err(why) = executor.reserve(&name).await {
        bail!("no folder for a command: {why}");
    }
    let ended = executor.run(&name, spec, &Never).await;
    executor.forget(&name).await;
    let took = begun.elapsed();
    let Execution::Ended(result) = ended else { bail!("a command did not end: {ended:?}") };
    let as_told = result.end == ExecutionEnd::Exited(0) && result.kept == said(n);
    ensure!(as_told, "a command ended otherwise than it was told to: {result:?}");
    Ok(took)
}

/// Supervision alone: what containment adds is another measurement.
const UNCONTAINED: Sandbox = Sandbox {
    tier: Tier::None,
    files: FileAccess::WorkspaceWrite,
    network: NetworkAccess::Open,
    writable: Vec::new(),
};

fn line(n: usize) -> String {
    format!("echo {n}")
}

fn said(n: usize) -> Vec<u8> {
    format!("{n}\n").into_bytes()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Nobody interrupts.
struct Never;

impl Cancel for Never {
    fn is_cancelled(&self) -> bool {
        false
    }

    fn cancelled(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::pending())
    }
}
