//! What the kernel knows about a process that runs: processor time and memory.

use std::time::Duration;

/// Ticks of a second in `/proc/PID/stat`: the same on every Linux that can be met.
const TICKS: u64 = 100;

/// A process at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// Processor time of its own threads.
    pub(crate) own: Duration,
    /// Processor time of its children that have ended and were waited for, to a hundredth of a second.
    pub(crate) children: Duration,
    /// The most memory that it ever had, in KiB, program text and files included.
    pub(crate) peak_resident: u64,
    /// Memory that is only its own, in KiB.
    pub(crate) anonymous: u64,
}

/// Reads a process that is alive; `None` when it is not, or the kernel does not tell.
pub(crate) fn read(pid: u32) -> Option<Reading> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let kib = |name: &str| {
        let line = status.lines().find(|line| line.starts_with(name))?;
        line.split_whitespace().nth(1)?.parse().ok()
    };
    Some(Reading {
        own: own(pid)?,
        children: children(pid)?,
        peak_resident: kib("VmHWM:")?,
        anonymous: kib("RssAnon:")?,
    })
}

/// Summed over its threads, in nanoseconds: `stat` would only say hundredths of a second.
fn own(pid: u32) -> Option<Duration> {
    let mut nanos = 0;
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        // A thread that ends meanwhile takes its time along; these processes keep theirs.
        let schedule = std::fs::read_to_string(thread.ok()?.path().join("schedstat")).unwrap_or_default();
        nanos += schedule.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(nanos))
}

/// Fields 16 and 17 of `stat`; the second field, the name, may hold anything.
fn children(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}
