//! How many syncs an append costs, counted by `strace`.

use std::process::Stdio;

use crate::child::command;
use crate::support::not_tested;

#[test]
fn a_synced_append_costs_one_sync_and_any_other_none() {
    let (Some(nothing), Some(unsynced), Some(synced)) =
        (syncs("unsynced 0"), syncs("unsynced 100"), syncs("synced 50"))
    else {
        return not_tested("the number of syncs", "strace is not installed or may not trace here");
    };
    eprintln!(
        "syncs: {nothing} to open, create and close; {unsynced} with 100 appends; {synced} with 50 synced appends"
    );
    assert_eq!(unsynced, nothing, "100 appends cost no sync");
    assert_eq!(synced, nothing + 50, "50 synced appends cost 50 syncs");
}

/// Runs a child under `strace` and counts its syncs.
fn syncs(role: &str) -> Option<usize> {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let child = command(role, &folder.path().join("store"));
    let mut strace = std::process::Command::new("strace");
    strace.args(["-f", "-qq", "-e", "trace=fsync,fdatasync", "-o"]).arg(&trace).arg(child.get_program());
    strace.args(child.get_args());
    for (name, value) in child.get_envs() {
        strace.env(name, value.unwrap());
    }
    let output = strace.stderr(Stdio::null()).output().ok()?;
    if !String::from_utf8_lossy(&output.stdout).contains("@@ done") {
        return None;
    }
    let trace = std::fs::read_to_string(trace).ok()?;
    Some(trace.lines().filter(|line| line.contains("sync(")).count())
}
