//! When the log says that a command was stopped, nothing of it is left: also no child that has left its session.

use std::time::{SystemTime, UNIX_EPOCH};

use onward_event::{Event, ResultStatus};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::{Sandbox, eventually, not_tested};

/// A number that no other process has for an argument.
fn mark() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    format!("{}.{:09}", 100_000 + std::process::id(), since.subsec_nanos())
}

/// Leaves a child in a session of its own, and goes on.
fn script(mark: &str, seconds: u64) -> Value {
    let command = format!("setsid sh -c 'touch begun; exec sleep {mark}' & sleep {mark}");
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": command, "timeout_seconds": seconds } }] },
        { "text": "Stopped." },
    ] })
}

/// Processes that sleep for that long.
fn left(mark: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| String::from_utf8_lossy(&line).replace('\0', " "))
        .filter(|line| line.trim() == format!("sleep {mark}"))
        .collect()
}

fn has_begun(sandbox: &Sandbox, mark: &str) -> bool {
    sandbox.workspace().join("begun").exists() && left(mark).len() == 2
}

#[test]
fn nothing_is_left_of_a_command_whose_time_is_over() {
    // On a slow machine it takes longer until the child is there.
    for seconds in [2, 10, 40] {
        let mark = mark();
        let sandbox = Sandbox::new(&script(&mark, seconds));
        let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
        let begun = eventually("the child, or the end", || match sandbox.records().count("tool/result") {
            0 => has_begun(&sandbox, &mark).then_some(true),
            _ => Some(false),
        });
        let records = sandbox.until("tool/result", 1);
        assert_eq!(left(&mark), Vec::<String>::new(), "the record says that it is over");
        exec.wait().ended(0);
        if begun {
            let status = records.all(|event| match event {
                Event::ToolResult(result) => Some(result.status.clone()),
                _ => None,
            });
            assert_eq!(status, [ResultStatus::Timeout]);
            sandbox.assert_checked();
            return;
        }
    }
    not_tested("a child of a command whose time is over", "this machine was too slow to start one in 40 s");
}

#[test]
fn nothing_is_left_of_a_command_that_is_interrupted() {
    let mark = mark();
    let sandbox = Sandbox::new(&script(&mark, 3_000));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    eventually("the child", || has_begun(&sandbox, &mark).then_some(()));
    exec.signal(Signal::INT);
    sandbox.until("tool/cancelled", 1);
    assert_eq!(left(&mark), Vec::<String>::new(), "the record says that it is over");
    exec.wait().ended(130);
    sandbox.assert_checked();
}
