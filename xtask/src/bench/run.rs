//! Running `onward` once, from its start to its end.

use std::process::{Child, Command};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::place::Place;
use crate::server::Server;

/// The task that every run is given.
pub(crate) const TASK: &str = "Do the scripted steps.";

/// `exec` with this task and room for so many steps.
pub(crate) fn exec(max_steps: &str) -> [&str; 4] {
    ["exec", "--max-steps", max_steps, TASK]
}

/// A run that has ended well.
pub(crate) struct Ended {
    /// Right before the process was started.
    pub(crate) started: Instant,
    /// Until it had ended.
    pub(crate) wall: Duration,
}

/// Starts it and waits for its end.
///
/// # Errors
/// When it cannot be started, or does not end with the work done.
pub(crate) fn to_end(command: Command, place: &Place, server: &Server) -> anyhow::Result<Ended> {
    let (started, mut child) = start(command, server)?;
    let status = child.wait().context("its end cannot be waited for")?;
    let wall = started.elapsed();
    server.watch(0);
    if !status.success() {
        bail!("onward ended with {status}: {}", place.said());
    }
    Ok(Ended { started, wall })
}

/// Starts it.
pub(crate) fn start(mut command: Command, server: &Server) -> anyhow::Result<(Instant, Child)> {
    let started = Instant::now();
    let child = command.spawn().with_context(|| format!("{:?} cannot be started", command.get_program()))?;
    server.watch(child.id());
    Ok((started, child))
}
