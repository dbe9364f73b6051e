//! A call of which nobody knows whether it happened: it is never run again by itself, and a person settles it. Exit
//! code 5.

use insta::assert_snapshot;
use onward_event::{CallId, Event};
use serde_json::json;

use crate::support::{Done, Sandbox, fatal_command, kill_its_supervisor};

/// A session with a call of unknown outcome, and what was said about it.
fn unknown() -> (Sandbox, Done) {
    let sandbox = Sandbox::new(&fatal_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "tag the release"]);
    kill_its_supervisor(&sandbox);
    let done = exec.wait();
    (sandbox, done.ended(5))
}

fn call_of(sandbox: &Sandbox) -> CallId {
    let calls = sandbox.records().all(|event| match event {
        Event::ToolOutcomeUnknown(unknown) => Some(unknown.call),
        _ => None,
    });
    assert_eq!(calls.len(), 1);
    calls[0]
}

#[test]
fn five_when_a_command_may_or_may_not_have_happened() {
    let (sandbox, done) = unknown();
    let call = call_of(&sandbox).to_string();
    for how in ["--applied", "--not-applied", "--go-on"] {
        assert!(done.stderr.contains(&format!("onward reconcile {call} {how}")), "{done:?}");
    }
    assert!(sandbox.run(&["show"]).ended(0).stdout.contains(&format!("the outcome of {call} is unknown")));
    sandbox.run(&["resume"]).ended(5);
    assert_eq!(sandbox.read("ledger"), "tagged\n", "it is not run again");
    assert_eq!(sandbox.records().count("tool/start"), 1);
    sandbox.assert_checked();
}

#[test]
fn a_person_settles_it_and_the_work_goes_on() {
    for how in ["--applied", "--not-applied", "--go-on"] {
        let (sandbox, _) = unknown();
        let call = call_of(&sandbox).to_string();
        let evidence = "the tag was looked for";
        let settled = sandbox.run(&["reconcile", &call, how, "--evidence", evidence]).ended(0);
        assert_snapshot!(format!("settled_{}", &how[2..]), sandbox.shown(&settled));
        let told = sandbox.records().all(|event| match event {
            Event::NoticeAdded(notice) => Some(notice.text.clone()),
            _ => None,
        });
        assert!(told.iter().any(|text| text.contains(evidence)), "{how}: {told:?}");
        assert_eq!(sandbox.read("ledger"), "tagged\n", "{how}");
        sandbox.run(&["reconcile", &call, how]).ended(1);
        sandbox.assert_checked();
    }
}

#[test]
fn settling_can_be_left_to_the_next_owner() {
    let (sandbox, _) = unknown();
    let call = call_of(&sandbox).to_string();
    let recorded = sandbox.run(&["reconcile", &call, "--applied", "--no-run"]).ended(0);
    assert_snapshot!(sandbox.shown(&recorded));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "I go on.\n");
    sandbox.assert_checked();
}

#[test]
fn it_holds_up_its_own_work_and_not_the_session() {
    let (sandbox, _) = unknown();
    sandbox.set_script(&json!({ "final": "Something else is done." }));
    let other = sandbox.run(&["send", "--follow-up", "do something else"]).ended(5);
    assert_eq!(other.stdout, "Something else is done.\n");
    sandbox.assert_checked();
}

#[test]
fn only_a_call_that_is_unknown_can_be_settled() {
    let (sandbox, _) = unknown();
    let call = call_of(&sandbox).to_string();
    sandbox.run(&["reconcile", &call]).ended(2);
    let other = sandbox.run(&["reconcile", "call_01h455vb4pex5vsknk084sn02q", "--applied"]).ended(1);
    assert_snapshot!(sandbox.shown(&other));
}
