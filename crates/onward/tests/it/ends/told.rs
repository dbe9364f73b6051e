//! What people are told: what a result belongs to, whose word counted, what a crash left.

use insta::assert_snapshot;
use onward_event::Event;
use serde_json::{Value, json};

use crate::support::{
    Sandbox, eventually, fatal_command, kill_its_supervisor, pid_of_command, waiting_command,
};

#[test]
fn results_of_several_calls_say_which_they_belong_to() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "text": "Three at once.", "calls": [
            { "tool": "shell", "input": { "command": "echo one" } },
            { "tool": "shell", "input": { "command": "echo two; exit 3" } },
            { "tool": "read", "input": { "path": "nothing.txt" } },
        ] },
        { "text": "And one.", "calls": [{ "tool": "shell", "input": { "command": "echo three" } }] },
        { "text": "Done." },
    ] }));
    let done = sandbox.run(&["exec", "--mode", "auto", "run them"]).ended(0);
    // They end in any order.
    for labelled in [
        "  shell echo one: ok · ",
        "  shell echo two; exit 3: exit code · ",
        "  read nothing.txt: not found · ",
    ] {
        assert!(done.stderr.contains(labelled), "no `{labelled}` in {done:?}");
        assert!(sandbox.run(&["show"]).ended(0).stdout.contains(labelled), "{labelled}");
    }
    assert!(done.stderr.contains("● shell  echo three\n  ok · "), "one alone needs no name: {done:?}");
}

fn asks() -> Value {
    let call = |n: &str| json!({ "tool": "shell", "input": { "command": format!("echo {n} >> ledger") } });
    json!({ "steps": [
        { "text": "I write.", "calls": [call("one")] },
        { "text": "Again.", "calls": [call("two")] },
        { "text": "Done." },
    ] })
}

fn approvals(sandbox: &Sandbox) -> Vec<String> {
    sandbox.records().all(|event| match event {
        Event::ApprovalRequested(asked) => Some(asked.approval.to_string()),
        _ => None,
    })
}

#[test]
fn how_a_question_was_answered() {
    let sandbox = Sandbox::new(&asks());
    sandbox.run(&["exec", "write"]).ended(3);
    sandbox.run(&["reject", "--feedback", "not like this"]).ended(3);
    sandbox.run(&["approve", "--for-session"]).ended(0);
    assert_snapshot!("answered", sandbox.filtered(&sandbox.run(&["show"]).ended(0).stdout));

    // Whoever is second is told what counts.
    let [first, second] = <[String; 2]>::try_from(approvals(&sandbox)).unwrap();
    let late = sandbox.run(&["approve", &first]).ended(1);
    assert_snapshot!("was_rejected", sandbox.shown(&late));
    let late = sandbox.run(&["reject", &second]).ended(1);
    assert_snapshot!("was_approved", sandbox.shown(&late));
    assert_eq!(sandbox.records().count("approval/resolved"), 2, "nothing was recorded");
}

#[test]
fn how_an_unknown_outcome_was_settled() {
    let sandbox = Sandbox::new(&fatal_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "tag it"]);
    kill_its_supervisor(&sandbox);
    exec.wait().ended(5);
    let call = sandbox.records().all(|event| match event {
        Event::ToolOutcomeUnknown(unknown) => Some(unknown.call.to_string()),
        _ => None,
    });
    let settle = |how: &str| sandbox.run(&["reconcile", &call[0], how, "--evidence", "I looked"]);
    settle("--applied").ended(0);
    assert_snapshot!("settled", sandbox.filtered(&sandbox.run(&["show"]).ended(0).stdout));
    let late = settle("--not-applied").ended(1);
    assert_snapshot!("settled_already", sandbox.shown(&late));
}

#[test]
fn what_a_crash_left_of_a_reply() {
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": "word ".repeat(5_000), "delta_ms": 20 }] }));
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until_side();
    exec.kill();
    sandbox.set_script(&json!({ "final": "Here I am again." }));
    let resumed = sandbox.run(&["resume"]).ended(0);
    let left = "  a reply of the model was cut off by a crash\n  what had arrived of it, which the model is not shown:\n    word";
    assert!(resumed.stderr.contains(left), "{resumed:?}");
    assert!(sandbox.run(&["show"]).ended(0).stdout.contains(left));
}

#[test]
fn whoever_resumes_is_told_what_is_waited_for() {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    pid_of_command(&sandbox);
    exec.kill();
    let resumed = sandbox.start(&["resume"]);
    eventually("a word about it", || resumed.stderr().contains("left running").then_some(()));
    sandbox.write("go", "");
    let done = resumed.wait().ended(0);
    assert_snapshot!(sandbox.shown(&done));
}

#[test]
fn a_server_that_cannot_be_reached_is_told_in_a_line() {
    let sandbox = Sandbox::bare();
    // Nobody listens at this port: it was free a moment ago.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    sandbox.set_config(&format!(
        "model = \"local/test\"\n[providers.local]\nkind = \"chat\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n"
    ));
    let done = sandbox.run(&["exec", "hello"]).ended(7);
    let line = format!(
        "  the model could not be used: 127.0.0.1:{port} cannot be reached: connection refused; check that the server \
         runs, and base_url"
    );
    assert!(done.stderr.lines().any(|said| said == line), "{done:?}");
}
