//! The process tree: everything that descends from the command, wherever it went.

use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait};

/// How long killed processes are waited for.
const KILL_WAIT: Duration = Duration::from_secs(5);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(5);

/// Collects every descendant that has ended. Returns the wait status of `main`, if it was among them.
pub(super) fn reap(main: Pid) -> Option<rustix::process::WaitStatus> {
    let mut status = None;
    while let Ok(Some((pid, ended))) = wait(WaitOptions::NOHANG) {
        if pid == main {
            status = Some(ended);
        }
    }
    status
}

/// Whether any process of the tree is left.
pub(super) fn is_empty() -> bool {
    descendants(getpid()).is_empty()
}

/// Asks every process of the tree to end. One that is stopped goes on, so that it hears of it.
pub(super) fn ask_to_end() {
    for pid in descendants(getpid()) {
        let _ = kill_process(pid, Signal::TERM);
        let _ = kill_process(pid, Signal::CONT);
    }
}

/// Kills until no descendant is left; false when some stay. Between two looks new ones may be born: each look finds
/// them, because whatever they do they descend from this process.
pub(crate) fn kill_all(main: Pid, status: &mut Option<rustix::process::WaitStatus>) -> bool {
    let deadline = Instant::now() + KILL_WAIT;
    loop {
        let left = descendants(getpid());
        for pid in &left {
            let _ = kill_process(*pid, Signal::KILL);
        }
        if let Some(ended) = reap(main) {
            status.get_or_insert(ended);
        }
        if left.is_empty() {
            return true;
        }
        if Instant::now() > deadline {
            return false;
        }
        sleep(PAUSE.min(Duration::from_millis(1 + left.len() as u64 / 8)));
    }
}

/// All living descendants of a process.
fn descendants(of: Pid) -> Vec<Pid> {
    let (mut found, mut next) = (Vec::new(), vec![of]);
    while let Some(pid) = next.pop() {
        for child in children(pid) {
            if is_alive(child) {
                found.push(child);
            }
            next.push(child);
        }
    }
    found
}

/// The children of a process, of all its threads. A process that has ended meanwhile has none.
fn children(of: Pid) -> Vec<Pid> {
    let tasks = format!("/proc/{}/task", of.as_raw_nonzero());
    let Ok(tasks) = std::fs::read_dir(tasks) else { return Vec::new() };
    let lists = tasks.flatten().filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    let numbers: Vec<i32> = lists
        .flat_map(|list| list.split_whitespace().filter_map(|n| n.parse().ok()).collect::<Vec<_>>())
        .collect();
    numbers.into_iter().filter_map(Pid::from_raw).collect()
}

/// Whether it has not ended: one that waits to be collected has.
fn is_alive(pid: Pid) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).unwrap_or_default();
    // `pid (name) state …`, where the name may hold anything, brackets too.
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    !matches!(state, None | Some('Z' | 'X' | 'x'))
}
