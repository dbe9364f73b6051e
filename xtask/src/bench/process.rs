//! What the kernel knows about a process that runs: processor time and memory.

use std::time::Duration;

/// Ticks of a second in `/proc/PID/stat`: the same on every Linux that can be met.
const TICKS: u64 = 100;

/// A process at one moment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// Processor time of its own threads.
    pub(crate) own: Duration,
    /// Processor time of its children that have ended and were waited for, and of those that run with theirs, as the fork
    /// server with its supervisors: to a hundredth of a second.
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
        children: of_children(pid)?,
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

fn of_children(pid: u32) -> Option<Duration> {
    let mut ticks = ticks(pid, WAITED_FOR)?;
    for thread in std::fs::read_dir(format!("/proc/{pid}/task")).ok()? {
        let children = std::fs::read_to_string(thread.ok()?.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
            ticks += self::ticks(child, OWN).unwrap_or(0) + self::ticks(child, WAITED_FOR).unwrap_or(0);
        }
    }
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

/// Where `stat` has two fields with the ticks of a process, counted behind its name.
const OWN: usize = 11;
/// The same for its children that were waited for.
const WAITED_FOR: usize = 13;

/// The sum of two fields of `stat`; the second field, the name, may hold anything.
fn ticks(pid: u32, first: usize) -> Option<u64> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    Some(fields.get(first)?.parse::<u64>().ok()? + fields.get(first + 1)?.parse::<u64>().ok()?)
}
