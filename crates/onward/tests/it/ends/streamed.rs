//! An answer at a terminal is read as it comes, once; a pipe gets it whole.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::{Sandbox, not_tested};

#[test]
fn an_answer_appears_as_it_comes_and_once() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "text": "I look.", "calls": [{ "tool": "list", "input": {} }] },
        { "text": "It is *all* there.\nEvery word.", "delta_ms": 10 },
    ] }));
    if Command::new("script").arg("--version").output().is_err() {
        return not_tested("an answer at a terminal", "there is no `script` program");
    }
    let line = r#""$ONWARD" exec look </dev/null 2>progress"#;
    let mut command = sandbox.program("script", &["-qec", line, "/dev/null"]);
    command.env("TERM", "dumb").env("SHELL", "/bin/sh");
    let done = sandbox.start_command(command, Stdio::null()).wait().ended(0);
    assert_eq!(done.stdout.replace("\r\n", "\n"), "I look.\nIt is *all* there.\nEvery word.\n");
    let progress = sandbox.read("progress");
    assert!(progress.contains("● list") && !progress.contains("I look."), "{progress}");

    let piped = sandbox.run(&["exec", "look"]).ended(0);
    assert_eq!(piped.stdout, "It is *all* there.\nEvery word.\n");
    assert!(piped.stderr.contains("I look."), "{piped:?}");
}

/// Words of an attempt that was given up are not part of the answer that came after it.
#[test]
fn words_that_came_to_nothing_are_followed_by_the_whole_answer() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "text": "It took two attempts.", "faults": [{ "attempt": 1, "error": "network", "after_deltas": 2 }] },
    ] }));
    if Command::new("script").arg("--version").output().is_err() {
        return not_tested("an answer at a terminal", "there is no `script` program");
    }
    let line = r#""$ONWARD" exec look </dev/null 2>progress"#;
    let mut command = sandbox.program("script", &["-qec", line, "/dev/null"]);
    command.env("TERM", "dumb").env("SHELL", "/bin/sh");
    let done = sandbox.start_command(command, Stdio::null()).wait().ended(0);
    let shown = done.stdout.replace("\r\n", "\n");
    assert!(shown.ends_with("\nIt took two attempts.\n"), "{shown:?}");
    assert_eq!(shown.matches("two attempts").count(), 1, "{shown:?}");
}
