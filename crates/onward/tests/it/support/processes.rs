//! Processes of commands, seen from outside. A contained command counts its processes in a namespace of its own; here they
//! are found by what the system says about them, in every tier.

use rustix::process::{Pid, Signal, kill_process};

use super::{Sandbox, eventually};

/// The supervisor of the only command that runs.
pub(crate) fn supervisor(sandbox: &Sandbox) -> Pid {
    eventually("a supervisor", || supervisors(sandbox).first().copied())
}

/// Kills the supervisor of the only command that runs.
pub(crate) fn kill_supervisor(sandbox: &Sandbox) {
    kill_process(supervisor(sandbox), Signal::KILL).unwrap();
}

/// The process that a command knows by this number.
pub(crate) fn process_known_as(sandbox: &Sandbox, number: i32) -> Pid {
    eventually("a process of the command", || {
        let supervisors = supervisors(sandbox);
        let is_ours = |pid: Pid| supervisors.iter().any(|supervisor| descends(pid, *supervisor));
        processes().into_iter().find(|pid| own_number(*pid) == Some(number) && is_ours(*pid))
    })
}

/// Executions that are not forgotten.
pub(crate) fn executions(sandbox: &Sandbox) -> usize {
    let entries = std::fs::read_dir(sandbox.data().join("executions")).unwrap().flatten();
    // What begins with a dot belongs to none of them.
    entries.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b".")).count()
}

/// Whether a process lives; one that only waits to be collected does not.
pub(crate) fn lives(pid: Pid) -> bool {
    status(pid, "State:").is_some_and(|state| !state.starts_with(['Z', 'X']))
}

/// Every supervisor of a command says who it is, in the folder of the execution; one that only waits for a command is none.
fn supervisors(sandbox: &Sandbox) -> Vec<Pid> {
    let entries = std::fs::read_dir(sandbox.data().join("executions")).into_iter().flatten().flatten();
    let said = entries.filter_map(|entry| std::fs::read(entry.path().join("supervisor")).ok());
    let pids = said.filter_map(|said| {
        let said: serde_json::Value = serde_json::from_slice(&said).ok()?;
        Pid::from_raw(said["pid"].as_i64()?.try_into().ok()?)
    });
    pids.filter(|pid| lives(*pid)).collect()
}

/// How far a process is looked for above another one.
const MAX_GENERATIONS: usize = 32;

fn descends(mut pid: Pid, from: Pid) -> bool {
    for _ in 0..MAX_GENERATIONS {
        let parent = status(pid, "PPid:").and_then(|parent| Pid::from_raw(parent.parse().ok()?));
        match parent {
            Some(parent) if parent == from => return true,
            Some(parent) => pid = parent,
            None => return false,
        }
    }
    false
}

/// The number of a process in the innermost namespace that it is in.
fn own_number(pid: Pid) -> Option<i32> {
    status(pid, "NSpid:")?.split_whitespace().last()?.parse().ok()
}

fn status(pid: Pid, field: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let value = status.lines().find_map(|line| line.strip_prefix(field))?;
    Some(value.trim().to_owned())
}

fn processes() -> Vec<Pid> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries.filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?)).collect()
}
