//! Answers that do not say what they answer: nothing is decided, and everything that waits is listed with its commands.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Sandbox, fatal_command, kill_its_supervisor};

/// Two sessions whose calls wait for an approval.
fn two_questions() -> Sandbox {
    let ask = json!({ "calls": [{ "tool": "shell", "input": { "command": "touch asked" } }] });
    let sandbox = Sandbox::new(&json!({ "steps": [ask], "final": "Done." }));
    for _ in 0..2 {
        sandbox.run(&["exec", "run it"]).ended(3);
    }
    sandbox
}

#[test]
fn several_questions_are_listed_with_the_commands_that_answer_each() {
    let sandbox = two_questions();
    let mut shown = String::new();
    for words in [&["approve"][..], &["reject"], &["approve", "appr_0"]] {
        shown.push_str(&format!("{}\n{}\n\n", words.join(" "), sandbox.run(words).ended(2).shown()));
    }
    let unknown = sandbox.run(&["approve", "appr_01h455vb4pex5vsknk084sn02q"]).ended(1);
    shown.push_str(&format!("approve of what is not open\n{}", unknown.shown()));
    assert_snapshot!(sandbox.filtered(&shown));
    assert_eq!(sandbox.records().count("approval/resolved"), 0);
}

#[test]
fn a_question_about_a_file_names_the_file() {
    let edit = json!({ "tool": "edit", "input": { "path": "a.txt", "old": "one", "new": "two" } });
    let write = json!({ "tool": "write", "input": { "path": "n/new.txt", "content": "new" } });
    let sandbox = Sandbox::new(&json!({ "steps": [{ "calls": [edit, write] }], "final": "Done." }));
    sandbox.write("a.txt", "one\n");
    sandbox.run(&["exec", "change them"]).ended(3);
    let listed = sandbox.run(&["approve"]).ended(2).stderr;
    assert!(listed.contains(": edit a.txt\n") && listed.contains(": write n/new.txt\n"), "{listed}");
}

#[test]
fn where_nothing_waits_it_is_said_where_to_look() {
    let sandbox = Sandbox::new(&json!({ "final": "Done." }));
    sandbox.run(&["exec", "say it"]).ended(0);
    let mut shown = String::new();
    for words in [&["approve"][..], &["reconcile"], &["reconcile", "call_0", "--applied"]] {
        shown.push_str(&format!("{}\n{}\n\n", words.join(" "), sandbox.run(words).ended(1).shown()));
    }
    assert_snapshot!(sandbox.filtered(&shown));
}

#[test]
fn an_unknown_outcome_is_settled_only_when_call_and_verdict_are_named() {
    let sandbox = Sandbox::new(&fatal_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "tag the release"]);
    kill_its_supervisor(&sandbox);
    exec.wait().ended(5);
    let mut shown = String::new();
    for words in [&["reconcile"][..], &["reconcile", "--applied"], &["reconcile", "call_0"]] {
        shown.push_str(&format!("{}\n{}\n\n", words.join(" "), sandbox.run(words).ended(2).shown()));
    }
    assert_snapshot!(sandbox.filtered(&shown));
    assert_eq!(sandbox.records().count("reconciliation/resolved"), 0);
}
