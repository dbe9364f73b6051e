//! Whoever waits is told for what; and what fails before there is a session fails in the stream, too.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::support::{Sandbox, eventually};

#[test]
fn a_task_that_is_still_being_piped_in_is_waited_for_with_words() {
    let sandbox = Sandbox::new(&json!({ "final": "Heard." }));
    let mut exec = sandbox.start_command(sandbox.command(&["exec"]), Stdio::piped());
    eventually("a word about it", || exec.stderr().contains("reading standard input…").then_some(()));
    exec.say("the task");
    exec.end_of_input();
    assert_eq!(exec.wait().ended(0).stdout, "Heard.\n");
    sandbox.assert_checked();
}

#[test]
fn a_failure_before_there_is_a_session_is_a_line_of_the_stream() {
    let sandbox = Sandbox::bare();
    for args in [
        &["exec", "--json", "hello"][..],
        &["resume", "--json"],
        &["exec", "--json", "--model", "x", "hello"],
    ] {
        let done = sandbox.run(args);
        let line: Value = serde_json::from_str(done.stdout.trim_end()).unwrap();
        assert_eq!((&line["type"], &line["exit_code"]), (&json!("error"), &json!(done.code())), "{line}");
        assert!(
            line.get("session").is_none_or(Value::is_null) && done.stderr.starts_with("error: "),
            "{done:?}"
        );
    }
}

#[test]
fn what_is_done_is_not_said_to_be_resumed() {
    let script =
        json!({ "steps": [{ "calls": [{ "tool": "shell", "input": { "command": "touch asked" } }] }] });
    let sandbox = Sandbox::new(&script);
    let denied = sandbox.run(&["exec", "--deny-unanswered", "run it"]).ended(4);
    assert!(!denied.stderr.contains("resume with"), "{denied:?}");
}
