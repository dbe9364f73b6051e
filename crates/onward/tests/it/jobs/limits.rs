//! The limits of the scheduler, with real commands and low limits in the configuration.

use onward_event::{Event, ResultStatus};
use serde_json::{Value, json};

use super::job::{began, phases};
use crate::support::{Records, Sandbox};

fn shell(command: &str, background: bool) -> Value {
    json!({ "tool": "shell", "input": { "command": command, "background": background } })
}

fn limited(script: &Value, limits: &str) -> Sandbox {
    let sandbox = Sandbox::new(script);
    sandbox.set_config(&format!("{}\n[limits]\n{limits}\n", sandbox.scripted_config()));
    sandbox
}

/// How each call was answered: with a code, where it was an error.
fn answers(records: &Records) -> Vec<String> {
    records.all(|event| match event {
        Event::ToolResult(result) => Some(match &result.status {
            ResultStatus::Error { code, .. } => code.clone(),
            ResultStatus::Ok => "ok".into(),
            ResultStatus::Timeout => "timeout".into(),
        }),
        _ => None,
    })
}

#[test]
fn a_call_for_which_there_is_no_room_in_the_queue_is_answered_and_not_run() {
    let calls: Vec<Value> = (1..=3).map(|n| shell(&format!("echo {n} >> ran"), false)).collect();
    let script = json!({ "steps": [{ "calls": calls }], "final": "Two ran." });
    let sandbox = limited(&script, "max_parallel_calls = 1\nmax_queued_calls = 1");
    assert_eq!(sandbox.run(&["exec", "--mode", "auto", "run three"]).ended(0).stdout, "Two ran.\n");
    let mut answers = answers(&sandbox.records());
    answers.sort();
    assert_eq!(answers, ["ok", "ok", "queue_full"]);
    assert_eq!(sandbox.read("ran"), "1\n2\n", "one after the other, and the third never");
    sandbox.assert_checked();
}

#[test]
fn a_session_begins_no_more_jobs_than_it_may() {
    let script = json!({ "steps": [
        { "calls": [shell("echo 1 >> ran", true)] },
        { "calls": [shell("echo 2 >> ran", true)] },
    ], "final": "One ran." });
    let sandbox = limited(&script, "max_session_jobs = 1");
    sandbox.run(&["exec", "--mode", "auto", "run two"]).ended(0);
    let records = sandbox.records();
    assert_eq!(answers(&records), ["ok", "job_budget_exhausted"]);
    assert_eq!((records.count("job/started"), sandbox.read("ran").as_str()), (1, "1\n"));
    sandbox.assert_checked();
}

#[test]
fn a_job_waits_for_the_place_of_another_where_the_configuration_lets_it() {
    let first =
        "echo $$ > began.new && mv began.new began; until [ -e go ]; do sleep 0.02; done; echo 1 >> ran";
    let script = json!({ "steps": [
        { "calls": [shell(first, true), shell("echo 2 >> ran", true)] },
    ], "final": "Both ran." });
    let sandbox = limited(&script, "max_jobs = 1\nmax_queued_jobs = 1");
    let exec = sandbox.start(&["exec", "--mode", "auto", "run two"]);
    began(&sandbox);
    let waiting = sandbox.until("job/started", 1);
    assert_eq!((waiting.count("job/started"), waiting.count("turn/end")), (1, 0));
    sandbox.write("go", "");
    exec.wait().ended(0);
    let records = sandbox.records();
    assert_eq!((answers(&records).join(" "), phases(&records).len()), ("ok ok".into(), 2));
    let kinds = records.kinds();
    let first = |kind| kinds.iter().position(|found| *found == kind);
    let last = |kind| kinds.iter().rposition(|found| *found == kind);
    assert!(first("job/phase") < last("job/started"), "{kinds:?}");
    assert_eq!(sandbox.read("ran"), "1\n2\n");
    sandbox.assert_checked();
}
