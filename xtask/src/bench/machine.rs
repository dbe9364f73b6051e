//! What the figures were measured on, without its name.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;

use crate::stats::Sample;

/// Bytes of one append: a page of the log.
const PAGE: [u8; 4096] = [7; 4096];

/// Cores and kernel.
pub(crate) fn describe() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{cores} cores, {}", kernel())
}

/// What it costs to append a page to a file in this folder and have it on disk: where the disk is not ours alone,
/// every figure that waits for it moves with this one.
pub(crate) fn sync_cost(folder: &Path, appends: usize) -> anyhow::Result<String> {
    let path = folder.join("sync-cost");
    let mut file = File::create(&path).with_context(|| format!("{} cannot be made", path.display()))?;
    let mut times = Vec::with_capacity(appends);
    for _ in 0..appends {
        let begun = Instant::now();
        file.write_all(&PAGE).context("the disk cannot be measured")?;
        file.sync_data().context("the disk cannot be measured")?;
        times.push(begun.elapsed());
    }
    let times = Sample::millis(times);
    Ok(format!("{:.0} µs (95th percentile {:.0})", times.median() * 1000.0, times.p95() * 1000.0))
}

/// The date of today in UTC, as in 2026-11-30.
pub(crate) fn today() -> String {
    jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()
}

/// How many tasks wanted a core, over the last minute.
pub(crate) fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or_default().to_owned()
}

fn kernel() -> String {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let version: Vec<_> = release.trim().split('.').take(2).collect();
    format!("Linux {}", version.join("."))
}
