//! A supervisor that was stopped before it came to its gate, and goes on when somebody else has closed it: its command never
//! runs, and the next run of the call is the only one that does.

use std::path::PathBuf;

use onward_event::{CallId, Event, ReconcileVerdict};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Signal, kill_process};
use serde_json::json;

use crate::support::{Sandbox, eventually, lives, supervisor};

/// The folder of the first run of the only call, in which its supervisor will stand still before its gate.
///
/// A supervisor says who it is, writes its word aside as `gate.started`, and links that to its place. That name is a pipe here,
/// so it waits for a reader with its word in its mouth. Who takes the session sweeps away what nobody needs, and would close
/// the gate of this folder before anybody came to it: a folder in the place of *its* word keeps it from that, until
/// the owner is gone.
fn held_folder(sandbox: &Sandbox) -> PathBuf {
    let calls = sandbox.records().all(|event| match event {
        Event::ToolCall(call) => Some(call.call),
        _ => None,
    });
    let [call] = <[CallId; 1]>::try_from(calls).unwrap();
    let folder = sandbox.data().join("executions").join(format!("{}.{call}.1", sandbox.session()));
    std::fs::create_dir_all(folder.join("gate.revoked")).unwrap();
    mknodat(CWD, folder.join("gate.started"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    folder
}

#[test]
fn a_supervisor_that_comes_to_its_gate_too_late_runs_nothing() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "echo went >> ledger" } }] },
        { "text": "It went." },
    ] }));
    // The question is what gives the call its name before it runs.
    sandbox.run(&["exec", "run it"]).ended(3);
    let folder = held_folder(&sandbox);
    let owner = sandbox.start(&["approve", "--for-session"]);
    let late = supervisor(&sandbox);
    kill_process(late, Signal::STOP).unwrap();
    owner.kill();
    std::fs::remove_dir(folder.join("gate.revoked")).unwrap();

    sandbox.run(&["resume"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "went\n", "the second run");
    assert!(lives(late) && !folder.join("output").exists(), "it has not gone on");

    // A pipe opens for its writer when somebody reads.
    let reader =
        std::fs::OpenOptions::new().read(true).write(true).open(folder.join("gate.started")).unwrap();
    kill_process(late, Signal::CONT).unwrap();
    eventually("the late supervisor ends", || (!lives(late)).then_some(()));
    drop(reader);
    assert_eq!(sandbox.read("ledger"), "went\n");
    assert_eq!(std::fs::read_to_string(folder.join("gate")).unwrap(), "revoked");
    assert!(!folder.join("output").exists(), "its command never began");
    let records = sandbox.records();
    let found = records.all(|event| match event {
        Event::ToolReconciled(found) => Some(found.verdict),
        _ => None,
    });
    assert_eq!(found, [ReconcileVerdict::NotApplied]);
    let runs = records.all(|event| match event {
        Event::ToolStart(start) => Some(start.run),
        _ => None,
    });
    assert_eq!(runs, [1, 2]);
    sandbox.assert_checked();
}
