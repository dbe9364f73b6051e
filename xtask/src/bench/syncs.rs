//! How often a steady step has the disk synced.

use anyhow::{Context, bail};

use crate::report::Row;
use crate::run::{exec, to_end};
use crate::scene::Scene;
use crate::server::Script;

/// Steps of the short run; what happens once is in it.
const SHORT: usize = 10;

pub(crate) fn measure(scene: &Scene) -> anyhow::Result<Vec<Row>> {
    let more = scene.pick(100, 20);
    let (short, long) = (count(scene, SHORT)?, count(scene, SHORT + more)?);
    let each = (long as f64 - short as f64) / more as f64;
    Ok(vec![Row::new("syncs of a steady step with one call", format!("{each:.2}")).at_most(
        "2",
        &[each],
        &[2.0],
    )])
}

fn count(scene: &Scene, steps: usize) -> anyhow::Result<u64> {
    let name = format!("syncs-{steps}");
    let (server, place) = scene.stage(&name, Script::of(steps))?;
    let (out, limit) = (scene.scratch.path().join(&name).join("strace"), (steps + 10).to_string());
    let path = out.to_str().context("the folder's name is not text")?;
    let before = ["-f", "-c", "-e", "trace=fsync,fdatasync,sync_file_range", "-o", path];
    to_end(place.wrapped("strace", &before, &exec(&limit))?, &place, &server)?;
    let summary = std::fs::read_to_string(&out).context("strace left no summary")?;
    if !summary.contains("calls") {
        bail!("strace left a summary that cannot be read: {summary}");
    }
    Ok(summary.lines().filter_map(calls).sum())
}

/// `% time  seconds  usecs/call  calls  [errors]  syscall`
fn calls(line: &str) -> Option<u64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let name = words.last()?;
    let is_sync = ["fsync", "fdatasync", "sync_file_range"].contains(name);
    is_sync.then(|| words.get(3)?.parse().ok())?
}
