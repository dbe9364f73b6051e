//! Questions whether a call may run, and their answers from other processes. Exit codes 3 and 4.

use insta::assert_snapshot;
use onward_event::{Event, Verdict};
use serde_json::{Value, json};

use crate::support::Sandbox;

/// Commands that leave a line each, one after the other, and an answer.
fn commands(lines: &[&str]) -> Value {
    let mut steps: Vec<Value> = lines
        .iter()
        .map(|line| {
            let command = format!("echo {line} >> ledger");
            let call = json!({ "tool": "shell", "input": { "command": command } });
            json!({ "text": "I write.", "calls": [call], "usage": { "input": 100, "output": 10 } })
        })
        .collect();
    steps.push(json!({ "text": "Written." }));
    json!({ "steps": steps })
}

#[test]
fn a_rejection_is_told_to_the_model_with_its_words() {
    let sandbox = Sandbox::new(&commands(&["one"]));
    sandbox.run(&["exec", "write"]).ended(3);
    let rejected = sandbox.run(&["reject", "--feedback", "not in this folder"]).ended(0);
    assert_snapshot!(sandbox.shown(&rejected));
    assert_eq!(sandbox.read("ledger"), "");
    let told = sandbox.records().all(|event| match event {
        Event::ToolDenied(denied) => Some(denied.content.clone()),
        _ => None,
    });
    assert!(told.len() == 1 && told[0].contains("not in this folder"), "{told:?}");
    sandbox.assert_checked();
}

#[test]
fn an_approval_for_the_session_holds_for_the_same_call_only() {
    // Of a script nobody knows beforehand which files it changes: an approval is bound to the files that are known, and
    // ends when they change.
    let call = |line: &str| {
        let command = format!("sh leave.sh {line}");
        json!({ "calls": [{ "tool": "shell", "input": { "command": command } }] })
    };
    let sandbox = Sandbox::new(&json!({
        "steps": [call("one"), call("one"), call("two"), { "text": "Written." }]
    }));
    sandbox.write("leave.sh", "echo $1 >> ledger\n");
    sandbox.run(&["exec", "write"]).ended(3);
    // The second call is the same, the third is not.
    sandbox.run(&["approve", "--for-session"]).ended(3);
    assert_eq!(sandbox.read("ledger"), "one\none\n");
    sandbox.run(&["approve"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "one\none\ntwo\n");
    assert_eq!(sandbox.records().count("approval/requested"), 2);
    sandbox.assert_checked();
}

#[test]
fn with_no_run_an_answer_is_only_recorded() {
    let sandbox = Sandbox::new(&commands(&["one"]));
    sandbox.run(&["exec", "write"]).ended(3);
    let recorded = sandbox.run(&["approve", "--no-run"]).ended(0);
    assert_snapshot!(sandbox.shown(&recorded));
    assert_eq!(sandbox.read("ledger"), "");
    sandbox.run(&["resume"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "one\n");
}

#[test]
fn the_first_answer_counts() {
    let sandbox = Sandbox::new(&commands(&["one"]));
    sandbox.run(&["exec", "write"]).ended(3);
    sandbox.run(&["reject", "--no-run"]).ended(0);
    sandbox.run(&["approve", "--no-run"]).ended(1);
    sandbox.run(&["resume"]).ended(0);
    assert_eq!(sandbox.read("ledger"), "");
}

#[test]
fn unanswered_questions_count_as_no_where_that_is_wanted() {
    let sandbox = Sandbox::new(&commands(&["one"]));
    let denied = sandbox.run(&["exec", "--deny-unanswered", "write"]).ended(4);
    assert_snapshot!(sandbox.shown(&denied));
    assert_eq!(sandbox.read("ledger"), "");
    let told = sandbox.records().all(|event| match event {
        Event::ToolDenied(denied) => Some(denied.content.clone()),
        _ => None,
    });
    assert_eq!(told, ["denied: nobody was there to approve it (--deny-unanswered)"]);
    sandbox.assert_checked();
}

#[test]
fn a_mode_that_forbids_asks_nobody() {
    let sandbox = Sandbox::new(&commands(&["one"]));
    let done = sandbox.run(&["exec", "--mode", "read-only", "write"]).ended(0);
    assert_snapshot!(sandbox.shown(&done));
    let verdicts = sandbox.records().all(|event| match event {
        Event::PolicyDecided(decided) => Some(decided.verdict),
        _ => None,
    });
    assert_eq!((verdicts, sandbox.read("ledger").as_str()), (vec![Verdict::Deny], ""));
}

#[test]
fn where_several_sessions_wait_nothing_is_guessed() {
    let sandbox = Sandbox::new(&commands(&["one"]));
    sandbox.run(&["exec", "first"]).ended(3);
    sandbox.run(&["exec", "second"]).ended(3);
    let refused = sandbox.run(&["approve"]).ended(2);
    assert!(refused.stderr.contains("2 questions are open, so nothing was decided"), "{refused:?}");
    assert_eq!(sandbox.read("ledger"), "");
    let named = refused.stderr.split_whitespace().find(|word| word.starts_with("appr_")).unwrap();
    let approved = sandbox.run(&["approve", named]).ended(0);
    assert!(approved.stderr.contains("approving in ses_"), "{approved:?}");
    assert_eq!(sandbox.read("ledger"), "one\n");
}
