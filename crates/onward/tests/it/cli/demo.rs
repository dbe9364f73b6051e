//! `onward demo`, with and without a crash, as a person sees it.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::Sandbox;

#[test]
fn the_demo_fixes_a_test_and_proves_it() {
    let sandbox = Sandbox::bare();
    let done = sandbox.run(&["demo"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn a_crash_in_an_edit_is_recovered_without_doing_it_again() {
    let sandbox = Sandbox::bare();
    let done = sandbox.run(&["demo", "--crash"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn a_command_goes_on_while_nobody_waits_for_it() {
    let sandbox = Sandbox::bare();
    let done = sandbox.run(&["demo", "--crash=shell"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn the_demo_does_not_depend_on_how_somebody_has_configured_their_work() {
    let sandbox = Sandbox::new(&json!({}));
    sandbox.set_config("mode = \"read-only\"\nmodel = \"nobody/nothing\"\nlimits.max_steps = 1\n");
    sandbox.run(&["demo"]).ended(0);
    assert!(!sandbox.data().exists(), "and leaves nothing in their sessions");
}

#[test]
fn what_is_kept_can_be_looked_at_and_gone_on_with() {
    let sandbox = Sandbox::new(&json!({}));
    let folder = sandbox.path().join("kept");
    let keep = folder.to_str().unwrap();
    let done = sandbox.run(&["demo", "--keep", keep]).ended(0);
    let hints: Vec<&str> = done.stdout.lines().filter(|line| line.starts_with("  onward ")).collect();
    assert_eq!(hints.len(), 3);
    for hint in hints {
        let words: Vec<&str> = hint.split_whitespace().skip(1).collect();
        sandbox.run(&words).ended(0);
    }
    let data = folder.join("data");
    let sessions =
        sandbox.run(&["--data-dir", data.to_str().unwrap(), "sessions", "--all", "--json"]).ended(0);
    let session: Value = serde_json::from_str(&sessions.stdout).unwrap();
    let id = session["session"].as_str().unwrap();
    sandbox.run(&["--data-dir", data.to_str().unwrap(), "send", "--session", id, "thanks"]).ended(0);

    let again = sandbox.run(&["demo", "--keep", keep]).ended(2);
    assert_snapshot!(sandbox.shown(&again));
}
