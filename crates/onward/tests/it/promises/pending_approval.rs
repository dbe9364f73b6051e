//! SIGKILL while an approval is pending: it is pending, it is asked again, and policy is evaluated anew.

use onward_event::{Event, Verdict};
use serde_json::{Value, json};

use crate::support::{Records, Sandbox};

fn script() -> Value {
    json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "echo one >> ledger" } }] },
        { "text": "Written." },
    ] })
}

/// A conversation that was killed while it asked.
fn killed() -> Sandbox {
    let sandbox = Sandbox::new(&script());
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("write");
    talk.expect("shell: ");
    talk.kill();
    assert_eq!(verdicts(&sandbox.records()), [Verdict::Ask]);
    assert!(sandbox.run(&["sessions"]).ended(0).stdout.contains("waits for an approval"));
    sandbox
}

/// What policy said, each time.
fn verdicts(records: &Records) -> Vec<Verdict> {
    records.all(|event| match event {
        Event::PolicyDecided(decided) => Some(decided.verdict),
        _ => None,
    })
}

#[test]
fn it_is_asked_again_under_the_same_name() {
    let sandbox = killed();
    let waiting = sandbox.run(&["resume"]).ended(3);
    let asked = sandbox.records().all(|event| match event {
        Event::ApprovalRequested(asked) => Some(asked.approval.to_string()),
        _ => None,
    });
    let [approval] = <[String; 1]>::try_from(asked).unwrap();
    assert!(waiting.stderr.contains(&format!("onward approve {approval}")), "{waiting:?}");
    assert_eq!(verdicts(&sandbox.records()), [Verdict::Ask; 2], "policy was asked anew");
    assert_eq!(sandbox.read("ledger"), "");

    assert_eq!(sandbox.run(&["approve", &approval]).ended(0).stdout, "Written.\n");
    assert_eq!(sandbox.read("ledger"), "one\n");
    assert_eq!(sandbox.records().count("tool/start"), 1);
    sandbox.assert_checked();
}

#[test]
fn it_is_asked_again_in_the_conversation() {
    let sandbox = killed();
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("Go on with it? [Y/n] ");
    talk.say("");
    talk.expect("echo one >> ledger");
    talk.expect("shell: ");
    talk.say("1");
    talk.expect("Written.");
    talk.end_of_input();
    talk.wait().ended(0);
    assert_eq!(sandbox.read("ledger"), "one\n");
    sandbox.assert_checked();
}

#[test]
fn an_answer_that_was_given_to_the_dead_process_holds() {
    let sandbox = killed();
    sandbox.run(&["approve", "--no-run"]).ended(0);
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Written.\n");
    assert_eq!(sandbox.read("ledger"), "one\n");
    sandbox.assert_checked();
}

#[test]
fn policy_that_allows_by_now_asks_nobody() {
    let sandbox = killed();
    assert_eq!(sandbox.run(&["resume", "--mode", "auto"]).ended(0).stdout, "Written.\n");
    assert_eq!(verdicts(&sandbox.records()), [Verdict::Ask, Verdict::Allow]);
    assert_eq!(sandbox.read("ledger"), "one\n");
    sandbox.assert_checked();
}

#[test]
fn policy_that_forbids_by_now_lets_no_approval_through() {
    let sandbox = killed();
    sandbox.run(&["approve", "--no-run"]).ended(0);
    sandbox.run(&["resume", "--mode", "read-only"]).ended(0);
    assert_eq!(verdicts(&sandbox.records()), [Verdict::Ask, Verdict::Deny]);
    assert_eq!(sandbox.read("ledger"), "");
    sandbox.assert_checked();
}
