//! What the figures were measured on, without its name.

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::time::Instant;

use anyhow::Context;

use crate::stats::Sample;

/// Bytes of one append: a page of the log.
const PAGE: [u8; 4096] = [7; 4096];

/// A sentence about cores, kernel and disk.
pub(crate) fn describe(folder: &Path, appends: usize) -> anyhow::Result<String> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let sync = sync_cost(folder, appends)?;
    let (median, p95) = (sync.median() * 1000.0, sync.p95() * 1000.0);
    Ok(format!(
        "{cores} cores, {}; appending 4 KiB and fdatasync takes {median:.0} µs (median; 95th percentile {p95:.0} µs).",
        kernel()
    ))
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

fn sync_cost(folder: &Path, appends: usize) -> anyhow::Result<Sample> {
    let path = folder.join("sync-cost");
    let mut file = File::create(&path).with_context(|| format!("{} cannot be made", path.display()))?;
    let mut times = Vec::with_capacity(appends);
    for _ in 0..appends {
        let begun = Instant::now();
        file.write_all(&PAGE).context("the disk cannot be measured")?;
        file.sync_data().context("the disk cannot be measured")?;
        times.push(begun.elapsed());
    }
    Ok(Sample::millis(times))
}
