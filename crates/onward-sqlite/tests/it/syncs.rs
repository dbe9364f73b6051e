//! How many syncs an append costs, and what becomes of an append whose sync or write fails: counted and injected by
//! `strace`.

use std::path::Path;
use std::process::Stdio;

use crate::child::command;
use crate::not_tested::not_tested;
use crate::support::{open, session, whole};

#[test]
fn a_synced_append_costs_one_sync_and_any_other_none() {
    let (Some(nothing), Some(unsynced), Some(synced)) =
        (syncs("unsynced 0"), syncs("unsynced 100"), syncs("synced 50"))
    else {
        return not_tested("the number of syncs", "strace is not installed or may not trace here");
    };
    eprintln!(
        "syncs: {nothing} to open, create and close; {unsynced} with 100 appends; {synced} with 50 synced ones"
    );
    assert_eq!(unsynced, nothing, "100 appends cost no sync");
    assert_eq!(synced, nothing + 50, "50 synced appends cost 50 syncs");
}

#[tokio::test]
async fn an_append_whose_sync_fails_is_looked_up_before_it_is_answered() {
    // `strace` counts by thread, so these are the first to the last sync of the writer.
    survive_each((1..=14).map(|n| format!("inject=fsync:error=EIO:when={n}")).collect()).await;
}

#[tokio::test]
async fn an_append_whose_write_fails_is_looked_up_before_it_is_answered() {
    let full = (1..=50).step_by(4).map(|n| format!("inject=pwrite64:error=ENOSPC:when={n}"));
    let broken = (1..=50).step_by(7).map(|n| format!("inject=pwrite64:error=EIO:when={n}..{}", n + 1));
    survive_each(full.chain(broken).collect()).await;
}

/// Each of these faults strikes a child of its own. If none of them made any append fail, nothing was tested.
async fn survive_each(faults: Vec<String>) {
    let mut failed = 0;
    for fault in &faults {
        match survive(fault).await {
            Some(n) => failed += n,
            None => {
                return not_tested(
                    "failing syncs and writes",
                    "strace is not installed or may not trace here",
                );
            }
        }
    }
    assert!(failed > 0, "no fault struck an append");
    eprintln!("{failed} requests failed under {} faults", faults.len());
}

/// A child works while the fault strikes, and checks each answer against the log; see `child`. What it says was
/// acknowledged must be there afterwards, once. Returns how many requests failed.
async fn survive(fault: &str) -> Option<usize> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store");
    open(&path).close();
    let said = traced(folder.path(), "faulty", &path, &["-e", fault])?;
    assert!(said.contains("@@ done"), "{fault}: {said}");
    let store = open(&path);
    let records = whole(&store, session(1)).await;
    let acknowledged: Vec<&str> =
        said.lines().filter_map(|line| line.strip_prefix("@@ acknowledged ")).collect();
    assert_eq!(acknowledged.len(), 8, "{fault}: {said}");
    for key in acknowledged {
        let count = records.iter().filter(|record| record.append.0 == key).count();
        assert_eq!(count, 1, "{fault}: {key}");
    }
    Some(said.lines().filter(|line| line.starts_with("@@ failed ")).count())
}

/// Runs a child under `strace` and counts its syncs.
fn syncs(role: &str) -> Option<usize> {
    let folder = tempfile::tempdir().unwrap();
    traced(folder.path(), role, &folder.path().join("store"), &["-e", "trace=fsync,fdatasync"])?;
    let trace = std::fs::read_to_string(folder.path().join("trace")).ok()?;
    Some(trace.lines().filter(|line| line.contains("sync(")).count())
}

/// Runs a child under `strace`; what it said, or `None` when it cannot be traced here.
fn traced(folder: &Path, role: &str, store: &Path, options: &[&str]) -> Option<String> {
    let child = command(role, store);
    let mut strace = std::process::Command::new("strace");
    strace.args(["-f", "-qq"]).args(options).arg("-o").arg(folder.join("trace")).arg(child.get_program());
    strace.args(child.get_args());
    for (name, value) in child.get_envs() {
        strace.env(name, value.unwrap());
    }
    let output = strace.stderr(Stdio::null()).output().ok()?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    said.contains("running 1 test").then_some(said)
}
