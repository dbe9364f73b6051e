//! SIGKILL while a command runs: the command goes on under its supervisor, the next owner attaches and records the true
//! result, and nobody is asked.

use onward_event::{Event, ReconcileVerdict, ToolResult, text_of};
use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};

use crate::support::{Running, Sandbox, eventually, pid_of_command};

/// A command whose result no other one has: it waits for the file `go`, leaves a line, says a word and fails.
const COMMAND: &str = "echo $$ > pid; echo begun; while [ ! -e go ]; do sleep 0.05; done; \
     echo went >> ledger; echo over; exit 7";

fn script() -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": COMMAND } }] },
        { "text": "It went." },
    ] })
}

/// A process that is killed while its command runs, and the command's own.
fn killed(sandbox: &Sandbox) -> Pid {
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    let command = pid_of_command(sandbox);
    exec.kill();
    assert!(test_kill_process(command).is_ok(), "the command lives on");
    command
}

/// The result of the only call.
fn result(sandbox: &Sandbox) -> ToolResult {
    let results = sandbox.records().all(|event| match event {
        Event::ToolResult(result) => Some(result.clone()),
        _ => None,
    });
    let [result] = <[ToolResult; 1]>::try_from(results).unwrap();
    result
}

/// It ran once, its result is the true one, and nobody had to say anything.
#[track_caller]
fn assert_true(sandbox: &Sandbox, resumed: Running, acquired: usize) {
    assert_eq!(resumed.wait().ended(0).stdout, "It went.\n");
    let text = text_of(&result(sandbox).content);
    for word in ["exit code 7", "begun", "over"] {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
    assert_eq!(sandbox.read("ledger"), "went\n");
    let records = sandbox.records();
    let found = records.all(|event| match event {
        Event::ToolReconciled(found) => Some(found.verdict),
        _ => None,
    });
    assert_eq!(found, [ReconcileVerdict::Applied]);
    let counts =
        ["tool/start", "inbox/received", "approval/requested", "reconciliation/resolved", "owner/acquired"]
            .map(|kind| records.count(kind));
    assert_eq!(counts, [1, 1, 0, 0, acquired]);
    sandbox.assert_checked();
}

#[test]
fn one_that_ends_while_nobody_owns_the_session_has_its_true_result() {
    let sandbox = Sandbox::new(&script());
    let command = killed(&sandbox);
    sandbox.write("go", "");
    eventually("the command ends", || test_kill_process(command).is_err().then_some(()));
    assert_eq!(sandbox.read("ledger"), "went\n", "it needs no runtime");
    assert_true(&sandbox, sandbox.start(&["resume"]), 2);
}

#[test]
fn one_that_runs_is_waited_for_by_the_next_owner() {
    let sandbox = Sandbox::new(&script());
    killed(&sandbox);
    let resumed = sandbox.start(&["resume"]);
    sandbox.until("owner/acquired", 2);
    assert_eq!(sandbox.records().count("tool/result"), 0);
    sandbox.write("go", "");
    assert_true(&sandbox, resumed, 2);
}

#[test]
fn one_that_outlives_several_owners_is_found_by_the_last() {
    let sandbox = Sandbox::new(&script());
    let command = killed(&sandbox);
    for acquired in [2, 3] {
        let resumed = sandbox.start(&["resume"]);
        sandbox.until("owner/acquired", acquired);
        resumed.kill();
        assert!(test_kill_process(command).is_ok(), "the command lives on");
    }
    sandbox.write("go", "");
    assert_true(&sandbox, sandbox.start(&["resume"]), 4);
}
