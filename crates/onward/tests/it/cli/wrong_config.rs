//! A configuration that is not understood: nothing works with it, and everybody can look and stop.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::Sandbox;

const LOOKS: [&[&str]; 6] =
    [&["sessions"], &["show"], &["log"], &["check"], &["jobs"], &["recover", "--dry-run"]];

fn touching() -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "touch mark" } }] },
        { "text": "There is a mark." },
    ] })
}

/// A session that waits for an answer, and a configuration with a slip in it.
fn waiting_under(slip: &str) -> Sandbox {
    let sandbox = Sandbox::new(&touching());
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    sandbox.set_config(&format!("{slip}\n{}", sandbox.scripted_config()));
    sandbox
}

#[test]
fn everybody_can_look() {
    for slip in ["modle = \"typo\"", "mode = \"yolo\"", "mode = [\n"] {
        let sandbox = waiting_under(slip);
        for look in LOOKS {
            let seen = sandbox.run(look).ended(0);
            assert!(
                seen.stderr.contains("warning: ") && seen.stderr.contains("config.toml line "),
                "{seen:?}"
            );
        }
        assert_eq!(sandbox.run(&["sessions", "--json"]).ended(0).stdout.lines().count(), 1, "{slip}");
    }
    let sandbox = waiting_under("modle = \"typo\"");
    assert_snapshot!("wrong_config_sessions", sandbox.shown(&sandbox.run(&["sessions"])));
}

#[test]
fn the_sessions_are_where_the_part_that_is_understood_says() {
    let sandbox = Sandbox::new(&touching());
    let elsewhere = sandbox.path().join("elsewhere");
    let config =
        |slip: &str| format!("data_dir = \"{}\"\n{slip}{}", elsewhere.display(), sandbox.scripted_config());
    sandbox.set_config(&config(""));
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    sandbox.set_config(&config("modle = 1\n"));
    let seen = sandbox.run(&["sessions"]).ended(0);
    assert!(seen.stdout.contains("leave a mark"), "{seen:?}");
}

#[test]
fn a_variable_that_means_nothing_keeps_nobody_from_looking() {
    let sandbox = Sandbox::new(&touching());
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    let sandbox = sandbox.with_variable("ONWARD_MODLE", "x");
    for look in LOOKS {
        let seen = sandbox.run(look).ended(0);
        assert!(seen.stderr.contains("warning: there is no variable ONWARD_MODLE"), "{seen:?}");
    }
    sandbox.run(&["interrupt"]).ended(0);
    assert_eq!(sandbox.records().count("turn/end"), 1);
}

#[test]
fn nothing_works_and_nothing_is_recorded_for_it() {
    let sandbox = waiting_under("modle = \"typo\"");
    let before = sandbox.run(&["log"]).ended(0).stdout;
    for work in [&["exec", "more"][..], &["resume"], &["send", "more"], &["approve"]] {
        let refused = sandbox.run(work).ended(2);
        assert!(refused.stderr.contains("error: ") && refused.stderr.contains("modle"), "{refused:?}");
    }
    assert_eq!(sandbox.run(&["log"]).ended(0).stdout, before);
}

#[test]
fn everybody_can_stop() {
    let sandbox = waiting_under("modle = \"typo\"");
    let rejected = sandbox.run(&["reject", "--no-run"]).ended(0);
    assert!(rejected.stderr.contains("is recorded in"), "{rejected:?}");
    assert_eq!(sandbox.records().count("approval/resolved"), 1);
    assert_snapshot!("wrong_config_interrupt", sandbox.shown(&sandbox.run(&["interrupt"])));
    assert_eq!((sandbox.records().count("turn/end"), sandbox.records().count("tool/start")), (1, 0));

    let sandbox = waiting_under("modle = \"typo\"");
    assert_snapshot!("wrong_config_reject", sandbox.shown(&sandbox.run(&["reject"])));
    assert_eq!(sandbox.records().count("approval/resolved"), 1);
    sandbox.set_config(&sandbox.scripted_config());
    sandbox.run(&["resume"]).ended(0);
    assert!(!sandbox.workspace().join("mark").exists());
    sandbox.assert_checked();
}

#[test]
fn what_stops_something_starts_nothing_under_it() {
    // The message waits behind the turn that is interrupted, and goes on waiting.
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "touch mark" } }] },
        { "calls": [{ "tool": "shell", "input": { "command": "touch other" } }] },
        { "text": "Done." },
    ] }));
    sandbox.run(&["exec", "leave a mark"]).ended(3);
    sandbox.run(&["send", "--no-run", "--follow-up", "leave another"]).ended(0);
    sandbox.set_rules("[[rule]]\nid = \"t\"\neffect = \"allow\"\nargv = [\"touch\", \"other\"]\n");
    sandbox.set_config(&format!("modle = 1\n{}", sandbox.scripted_config()));
    let stopped = sandbox.run(&["interrupt"]);
    assert!(!sandbox.workspace().join("other").exists(), "{stopped:?}");
    assert!(stopped.stderr.contains("kept for later: \"leave another\""), "{stopped:?}");
    assert_eq!(sandbox.records().count("turn/start"), 1, "nothing begins");
    sandbox.assert_checked();
}

#[test]
fn a_job_is_ended_also_without_its_provider() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "sleep 600", "background": true } }] },
        { "text": "It runs." },
    ] }));
    sandbox.run(&["exec", "--jobs", "leave", "wait"]).ended(0);
    sandbox.set_config("[providers.scripted]\nkind = \"no such kind\"\n");
    let job = sandbox.run(&["jobs"]).ended(0).stdout.split_whitespace().next().unwrap().to_owned();
    let ended = sandbox.run(&["jobs", "cancel", &job]).ended(0);
    assert!(ended.stderr.contains("cancelled"), "{}", ended.stderr);
}
