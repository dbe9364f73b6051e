//! Modes from the outside: the one that asks nothing has to be asked for, and those that change nothing hold where
//! something contains commands.

use onward_event::{Event, Mode};
use serde_json::{Value, json};

use crate::support::Sandbox;

fn shell(command: &str) -> Value {
    json!({ "steps": [{ "calls": [{ "tool": "shell", "input": { "command": command } }] }], "final": "Done." })
}

/// A sandbox whose commands nothing contains.
fn uncontained(script: &Value) -> Sandbox {
    Sandbox::new(script).with_variable("ONWARD_SANDBOX_TIER", "none")
}

#[test]
fn bypass_asks_nothing_and_every_view_says_so() {
    let sandbox = uncontained(&shell("touch mark"));
    let done = sandbox.run(&["exec", "--bypass-permissions", "go"]).ended(0);
    assert!(sandbox.workspace().join("mark").exists());
    assert!(done.stderr.starts_with("mode bypass: nothing is asked"), "{}", done.stderr);
    let created = sandbox.records().all(|event| match event {
        Event::SessionCreated(created) => Some(created.spec.mode),
        _ => None,
    });
    assert_eq!(created, [Mode::Bypass]);
    for (view, words) in [
        (&["show"][..], "mode   bypass: nothing is asked"),
        (&["log"], "mode bypass"),
        (&["sessions"], "(bypass)"),
        (&["sessions", "--json"], "\"mode\":\"bypass\""),
        (&["log", "--json"], "\"mode\":\"bypass\""),
    ] {
        let seen = sandbox.run(view).ended(0).stdout;
        assert!(seen.contains(words), "{view:?}: {seen}");
    }
    sandbox.assert_checked();
}

#[test]
fn bypass_is_set_by_nothing_but_its_option() {
    let sandbox = uncontained(&shell("touch mark"));
    sandbox.run(&["exec", "--mode", "bypass", "go"]).ended(2);
    sandbox.run(&["exec", "--mode", "auto", "--bypass-permissions", "go"]).ended(2);
    sandbox.set_config(&format!("mode = \"bypass\"\n{}", sandbox.scripted_config()));
    sandbox.run(&["exec", "go"]).ended(2);
    sandbox.set_config(&sandbox.scripted_config());
    let sandbox = sandbox.with_variable("ONWARD_MODE", "bypass");
    sandbox.run(&["exec", "go"]).ended(2);
    assert!(!sandbox.workspace().join("mark").exists());
}

#[test]
fn bypass_is_left_by_a_line_and_never_entered_by_one() {
    let sandbox = uncontained(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "touch one" } }] },
        { "text": "One." },
        { "calls": [{ "tool": "shell", "input": { "command": "touch two" } }] },
        { "text": "Two." },
    ] }));
    let mut talk = sandbox.start_talking(&["--bypass-permissions"]);
    talk.expect("mode bypass: nothing is asked");
    talk.expect("\n> ");
    talk.say("go");
    talk.expect("One.");
    talk.expect("\n> ");
    talk.say("/mode normal");
    talk.expect("mode normal");
    talk.expect("\n> ");
    talk.say("/mode bypass");
    talk.expect("never set by a line");
    talk.expect("\n> ");
    talk.say("go on");
    talk.expect("shell: ");
    talk.say("4");
    talk.expect("Two.");
    talk.end_of_input();
    talk.wait().ended(0);
    assert!(sandbox.workspace().join("one").exists() && !sandbox.workspace().join("two").exists());
    sandbox.assert_checked();
}

#[test]
fn what_a_rule_denies_is_denied_in_bypass_too() {
    let sandbox = uncontained(&shell("touch mark"));
    sandbox.set_rules("[[rule]]\nid = \"no\"\neffect = \"deny\"\nargv = [\"touch\", \"...\"]\n");
    sandbox.run(&["exec", "--bypass-permissions", "go"]).ended(0);
    assert!(!sandbox.workspace().join("mark").exists());
}

#[test]
fn auto_asks_where_nothing_contains_commands() {
    let sandbox = uncontained(&shell("touch mark"));
    sandbox.run(&["exec", "--mode", "auto", "go"]).ended(3);
    let Some(sandbox) = Sandbox::contained(&shell("touch mark")) else { return };
    sandbox.run(&["exec", "--mode", "auto", "go"]).ended(0);
    assert!(sandbox.workspace().join("mark").exists());
}

#[test]
fn plan_and_read_only_look_in_a_sandbox_only() {
    let denied = |sandbox: &Sandbox, mode: &str| {
        sandbox.run(&["exec", "--mode", mode, "go"]).ended(0);
        sandbox.records().count("tool/denied")
    };
    for mode in ["plan", "read-only"] {
        assert_eq!(denied(&uncontained(&shell("ls")), mode), 1, "{mode} without a sandbox");
        let Some(sandbox) = Sandbox::contained(&shell("ls")) else { return };
        assert_eq!(denied(&sandbox, mode), 0, "{mode}");
        sandbox.set_script(&shell("ls; touch mark"));
        assert_eq!(denied(&sandbox, mode), 1, "{mode}");
        assert!(!sandbox.workspace().join("mark").exists());
    }
}
