//! What is shown of sessions and settings: `sessions`, `show`, `log`, `check`, `request show`, `config`.

use insta::assert_snapshot;
use onward_event::Event;
use serde_json::{Value, json};

use crate::support::{Sandbox, one_command};

/// A sandbox with one finished session.
fn finished() -> Sandbox {
    let sandbox = Sandbox::new(&one_command());
    sandbox.run(&["exec", "--mode", "auto", "ask the shell"]).ended(0);
    sandbox
}

#[test]
fn a_session_is_shown_as_a_conversation_and_as_a_log() {
    let sandbox = finished();
    let views: [&[&str]; 4] = [&["sessions"], &["sessions", "--json"], &["show"], &["log"]];
    for args in views {
        let done = sandbox.run(args).ended(0);
        assert_snapshot!(args.join("_").replace("--", ""), sandbox.shown(&done));
    }
}

#[test]
fn sessions_of_other_folders_are_shown_when_asked_for() {
    let sandbox = finished();
    let other = sandbox.path().join("other");
    std::fs::create_dir(&other).unwrap();
    let dir = other.to_str().unwrap();
    let none = sandbox.run(&["sessions", "-C", dir]).ended(0);
    assert_snapshot!(sandbox.shown(&none), @r"
    exit code 0
    ── stdout
    ── stderr
    no sessions in this folder; `--all` lists those of others
    ");
    assert_eq!(sandbox.run(&["sessions", "--all", "-C", dir]).ended(0).stdout.lines().count(), 1);
    let show = sandbox.run(&["show", "-C", dir]).ended(1);
    assert_snapshot!(sandbox.shown(&show));
}

#[test]
fn check_says_that_all_is_well() {
    let sandbox = finished();
    sandbox.run(&["exec", "--mode", "auto", "once more"]).ended(0);
    let one = sandbox.run(&["check"]).ended(0);
    assert_snapshot!("check_one", sandbox.shown(&one));
    let all = sandbox.run(&["check", "--all"]).ended(0);
    assert_eq!(all.stdout.lines().count(), 2);
    assert_snapshot!("check_all", sandbox.shown(&all));
}

#[test]
fn the_request_of_an_attempt_is_made_again() {
    let sandbox = finished();
    let records = sandbox.records();
    let attempts = records.all(|event| match event {
        Event::AttemptStart(start) => Some(start),
        _ => None,
    });
    assert_eq!(attempts.len(), 2);
    let mut bodies = Vec::new();
    for start in &attempts {
        let done = sandbox.run(&["request", "show", &start.attempt.to_string()]).ended(0);
        assert!(done.stderr.contains(&format!("digest {} as recorded", start.request)), "{done:?}");
        for line in done.stdout.lines().filter(|line| !line.is_empty()) {
            serde_json::from_str::<Value>(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        }
        bodies.push(done.stdout);
    }
    assert!(bodies[0].contains("ask the shell") && !bodies[0].contains("I ask the shell."));
    assert!(bodies[1].contains("I ask the shell.") && bodies[1].contains("hello"));
    let mut before: Vec<&str> = bodies[0].lines().collect();
    assert_eq!(before.pop(), Some(r#"{"end":true}"#));
    assert!(bodies[1].lines().collect::<Vec<_>>().starts_with(&before), "it only grows at its end");
}

#[test]
fn the_request_of_no_attempt_cannot_be_shown() {
    let sandbox = finished();
    let done = sandbox.run(&["request", "show", "att_01h455vb4pex5vsknk084sn02q"]).ended(1);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn the_configuration_is_shown_with_its_sources() {
    let sandbox = Sandbox::new(&json!({}));
    std::fs::create_dir(sandbox.workspace().join(".onward")).unwrap();
    sandbox.write(".onward/config.toml", "limits.max_steps = 7\n");
    sandbox.run(&["trust", "--yes"]).ended(0);
    let done = sandbox.run(&["config"]).ended(0);
    // The column of the sources depends on the length of this machine's paths.
    let shown = sandbox.shown(&done);
    let columns = shown.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    assert_snapshot!(columns.collect::<Vec<_>>().join("\n"));
    let json = sandbox.run(&["config", "--json"]).ended(0).stdout;
    assert!(serde_json::from_str::<Value>(&json).unwrap().is_array(), "{json}");
}

#[test]
fn a_wrong_configuration_is_named_with_its_line() {
    let sandbox = Sandbox::new(&json!({}));
    sandbox.set_config("model = \"scripted/test\"\n\n[limits]\nmax_step = 3\n");
    let done = sandbox.run(&["exec", "anything"]).ended(2);
    assert_snapshot!(sandbox.shown(&done));
    assert!(!sandbox.data().exists());
}

#[test]
fn without_a_model_it_is_said_how_to_set_one() {
    let sandbox = Sandbox::bare();
    let done = sandbox.run(&["exec", "anything"]).ended(2);
    assert_snapshot!(sandbox.shown(&done));
}
