//! `onward exec` with a plain answer: what goes to standard output, and what to standard error.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Sandbox, one_command};

#[test]
fn the_answer_is_on_standard_output_and_progress_is_not() {
    let sandbox = Sandbox::new(&one_command());
    let done = sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    assert_eq!(done.stdout, "It says hello.\n");
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn print_is_exec_by_another_name() {
    let sandbox = Sandbox::new(&one_command());
    let done = sandbox.run(&["--mode", "auto", "-p", "ask the shell"]).ended(0);
    let exec = Sandbox::new(&one_command()).run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    assert_eq!(done.stdout, exec.stdout);
}

#[test]
fn what_is_piped_in_is_part_of_the_task() {
    let sandbox = Sandbox::new(&json!({ "final": "read" }));
    sandbox.run_with_input(&["exec", "review this:"], "- a\n+ b\n").ended(0);
    sandbox.run_with_input(&["exec"], "only from the pipe\n").ended(0);
    let shown = sandbox.run(&["sessions", "--json"]).ended(0).stdout;
    let ids: Vec<String> = shown
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["session"].as_str().unwrap().to_owned())
        .collect();
    let messages: Vec<String> = ids
        .iter()
        .map(|id| {
            let shown = sandbox.run(&["show", id]).ended(0).stdout;
            shown.lines().filter(|line| line.starts_with('>')).collect::<Vec<_>>().join("\n")
        })
        .collect();
    assert_eq!(messages, ["> only from the pipe", "> review this:\n> \n> - a\n> + b"]);
}

#[test]
fn without_a_task_nothing_is_started() {
    let sandbox = Sandbox::new(&one_command());
    let done = sandbox.run(&["exec", "  "]).ended(2);
    assert_snapshot!(sandbox.shown(&done), @r#"
    exit code 2
    ── stdout
    ── stderr
    error: there is no task, so nothing was started
    hint: onward exec "fix the failing test", or pipe the task in
    "#);
    assert!(!sandbox.data().exists(), "not even a store");
}

#[test]
fn no_colour_reaches_a_file() {
    let sandbox = Sandbox::new(&one_command());
    for done in [
        sandbox.run(&["exec", "--mode", "auto", "ask"]),
        sandbox.run(&["show"]),
        sandbox.run(&["log"]),
        sandbox.run(&["sessions"]),
    ] {
        let done = done.ended(0);
        assert!(!done.stdout.contains('\u{1b}') && !done.stderr.contains('\u{1b}'), "{done:?}");
    }
}

#[test]
fn a_model_that_cannot_call_is_told_what_was_wrong() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shel", "input": { "command": "true" } }] },
        { "calls": [{ "tool": "shell", "input": { "cmd": "true" } }] },
        { "text": "I give up." },
    ] }));
    let done = sandbox.run(&["exec", "--mode", "auto", "try"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn an_output_that_is_not_accepted_is_asked_for_again() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "text": "Whole.", "faults": [{ "attempt": 1, "finish": "tool_calls" }] },
    ] }));
    let done = sandbox.run(&["exec", "speak"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
}
