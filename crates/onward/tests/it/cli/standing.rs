//! `onward sessions`: what each session does or waits for, and what it was asked first; and what looking leaves alone.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use crate::support::Sandbox;
use crate::support::{pid_of_command, waiting_command};

fn line(sandbox: &Sandbox) -> String {
    sandbox.run(&["sessions"]).ended(0).stdout
}

#[track_caller]
fn stands(sandbox: &Sandbox, words: &str, task: &str) {
    let line = line(sandbox);
    assert!(line.contains(&format!("  {words} ")) && line.trim_end().ends_with(task), "{words}: {line}");
}

#[test]
fn each_way_to_stand_has_its_words() {
    let ask = json!({ "calls": [{ "tool": "shell", "input": { "command": "touch asked" } }] });
    let sandbox = Sandbox::new(&json!({ "steps": [ask], "final": "Done." }));
    sandbox.run(&["exec", "run   the\ncommand"]).ended(3);
    stands(&sandbox, "waits for an approval", "run the command");
    sandbox.run(&["approve"]).ended(0);
    stands(&sandbox, "done", "run the command");
    sandbox.run(&["send", "--no-run", "more"]).ended(0);
    stands(&sandbox, "has unread input", "run the command");

    let sandbox =
        Sandbox::new(&json!({ "steps": [{ "text": "", "faults": [{ "attempt": 1, "error": "auth" }] }] }));
    sandbox.run(&["exec", "fail"]).ended(7);
    stands(&sandbox, "failed", "fail");

    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    pid_of_command(&sandbox);
    stands(&sandbox, "running", "wait");
    exec.kill();
    stands(&sandbox, "interrupted", "wait");
    sandbox.run(&["interrupt"]).ended(0);
    stands(&sandbox, "cancelled", "wait");
}

#[test]
fn looking_makes_nothing() {
    let sandbox = Sandbox::new(&json!({}));
    assert_eq!(sandbox.run(&["sessions"]).ended(0).stdout, "");
    for args in [
        &["show"][..],
        &["log"],
        &["check"],
        &["jobs"],
        &["recover", "--dry-run"],
        &["request", "show", "att_01h455vb4pex5vsknk084sn02q"],
    ] {
        let done = sandbox.run(args).ended(1);
        assert!(done.stderr.contains("no session was ever started in"), "{args:?}: {done:?}");
    }
    sandbox.run(&["config"]).ended(0);
    assert!(!sandbox.data().exists());
}

#[test]
fn what_is_kept_is_for_its_user_alone() {
    let sandbox = Sandbox::new(&json!({ "final": "Done." }));
    // Even where everybody may read what is made.
    sandbox.shell("umask 000; \"$ONWARD\" exec hello </dev/null").ended(0);
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(sandbox.data()), 0o700);
    for entry in std::fs::read_dir(sandbox.data()).unwrap() {
        let path = entry.unwrap().path();
        let expected = if path.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode(&path), expected, "{}", path.display());
    }
}

#[test]
fn an_interrupt_of_nothing_says_so() {
    let sandbox = Sandbox::new(&json!({ "final": "Done." }));
    sandbox.run(&["exec", "hello"]).ended(0);
    let before = sandbox.records().kinds().len();
    let done = sandbox.run(&["interrupt"]).ended(0);
    assert!(done.stderr.contains("there is nothing to interrupt; nothing was recorded"), "{done:?}");
    assert_eq!(sandbox.records().kinds().len(), before);
}
