//! Headless, and an approval is needed: the exit code is 3, and it says what waits and how to answer; the answer lets the
//! work go on.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::Sandbox;

fn script() -> Value {
    let call = json!({ "tool": "shell", "input": { "command": "echo one >> ledger" } });
    json!({ "steps": [
        { "text": "I write.", "calls": [call], "usage": { "input": 100, "output": 10 } },
        { "text": "Written." },
    ] })
}

#[test]
fn a_question_ends_the_command_and_an_approval_goes_on() {
    let sandbox = Sandbox::new(&script());
    let asked = sandbox.run(&["exec", "write"]).ended(3);
    assert_snapshot!("waiting", sandbox.shown(&asked));
    assert_snapshot!("waiting_show", sandbox.shown(&sandbox.run(&["show"]).ended(0)));
    sandbox.run(&["resume"]).ended(3);
    assert_eq!(
        sandbox.records().count("approval/requested"),
        1,
        "the question stands, and is not asked again"
    );
    assert_eq!(sandbox.read("ledger"), "");

    let approved = sandbox.run(&["approve"]).ended(0);
    assert_snapshot!("approved", sandbox.shown(&approved));
    assert_eq!(sandbox.read("ledger"), "one\n");
    let again = sandbox.run(&["approve"]).ended(1);
    assert_snapshot!("nothing_to_approve", sandbox.shown(&again));
    sandbox.assert_checked();
}

#[test]
fn the_stream_says_what_waits_and_how_it_is_answered() {
    let sandbox = Sandbox::new(&script());
    let asked = sandbox.run(&["exec", "--json", "write"]).ended(3);
    let lines: Vec<Value> = asked.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [.., waiting, result] = lines.as_slice() else { panic!("{asked:?}") };
    assert_eq!((&waiting["type"], &result["exit_code"]), (&json!("waiting"), &json!(3)));
    let answer = waiting["on"][0]["answer"][0].as_str().unwrap();
    // The words that the stream gives are a command that works.
    let words: Vec<&str> = answer.split(' ').skip(1).collect();
    let approved = sandbox.run(&[words.as_slice(), &["--json"]].concat()).ended(0);
    assert!(approved.stdout.lines().last().unwrap().contains("\"answer\":\"Written.\""), "{approved:?}");
}

#[test]
fn the_words_that_it_says_are_a_command_that_works() {
    let sandbox = Sandbox::new(&script());
    let asked = sandbox.run(&["exec", "write"]).ended(3);
    assert_eq!(asked.stdout, "", "an answer that is none is not given");
    let line = asked.stderr.lines().find(|line| line.trim_start().starts_with("onward approve ")).unwrap();
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    assert_eq!(sandbox.run(&words).ended(0).stdout, "Written.\n");
    assert_eq!(sandbox.read("ledger"), "one\n");
    sandbox.assert_checked();
}
