//! A command in the background, in one process.

use onward_event::{Event, JobState, ResultStatus, TurnSource, text_of};
use serde_json::json;

use super::job::{COMMAND, assert_ended_well, notices, phases, running, script};
use crate::support::Sandbox;

#[test]
fn the_call_is_answered_at_once_and_the_end_wakes_the_session() {
    let sandbox = Sandbox::new(&script(COMMAND));
    let exec = running(&sandbox, &[]);
    let records = sandbox.records();
    assert_eq!(
        (records.count("tool/result"), records.count("job/phase")),
        (1, 0),
        "nobody waits for its end"
    );
    sandbox.write("go", "");
    assert_eq!(exec.wait().ended(0).stdout, "Started.\nIt ended.\n");
    assert_ended_well(&sandbox);
    let records = sandbox.records();
    let sources = records.all(|event| match event {
        Event::TurnStart(start) => Some(start.source.clone()),
        _ => None,
    });
    let notice = notices(&records)[0].id;
    assert_eq!(sources[1..], [TurnSource::Messages(vec![notice])]);
}

#[test]
fn an_end_within_the_turn_arrives_at_its_next_step() {
    let wait = json!({ "tool": "shell", "input": { "command": "until [ -e go ]; do sleep 0.02; done" } });
    let begin = json!({ "tool": "shell", "input": { "command": "echo went > ledger", "background": true } });
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [begin] }, { "calls": [wait] }, { "text": "Both." },
    ], "final": "Once more." }));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    sandbox.until("job/phase", 1);
    sandbox.write("go", "");
    exec.wait().ended(0);
    let records = sandbox.records();
    assert_eq!(records.count("turn/start"), 1, "nobody had to be woken");
    assert_eq!((phases(&records).len(), notices(&records).len()), (1, 1));
    sandbox.assert_checked();
}

#[test]
fn more_jobs_than_may_run_are_refused_with_words() {
    let begin = |n: u32| {
        let command = format!("touch began{n}; until [ -e go ]; do sleep 0.02; done");
        json!({ "tool": "shell", "input": { "command": command, "background": true } })
    };
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [begin(1), begin(2)] }, { "text": "One runs." },
    ], "final": "It ended." }));
    sandbox.set_config(&format!("{}\n[limits]\nmax_jobs = 1\n", sandbox.scripted_config()));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run both"]);
    let records = sandbox.until("turn/end", 1);
    sandbox.write("go", "");
    exec.wait().ended(0);
    let refused = records.all(|event| match event {
        Event::ToolResult(result) => match &result.status {
            ResultStatus::Error { code, .. } => Some((code.clone(), text_of(&result.content))),
            _ => None,
        },
        _ => None,
    });
    let [(code, text)] = <[_; 1]>::try_from(refused).unwrap();
    assert_eq!(code, "too_many_jobs");
    assert!(text.contains("`job_wait`"), "{text}");
    assert!(!sandbox.workspace().join("began2").exists());
    sandbox.assert_checked();
}

#[test]
fn a_command_that_cannot_be_found_is_a_result_of_the_job() {
    let sandbox = Sandbox::new(&script("no-such-program-here"));
    sandbox.run(&["exec", "--mode", "auto", "run it"]).ended(0);
    let phase = phases(&sandbox.records()).pop().unwrap();
    assert_eq!(phase.phase, JobState::Failed);
    assert!(phase.summary.contains("nothing was run"), "{}", phase.summary);
    assert!(matches!(phase.status, Some(ResultStatus::Error { .. })));
    sandbox.assert_checked();
}

#[test]
fn whoever_is_asked_while_a_job_runs_hears_of_it_at_once() {
    let begin = json!({ "tool": "shell", "input": { "command": COMMAND, "background": true } });
    let write = json!({ "tool": "write", "input": { "path": "asked", "content": "x" } });
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [begin] }, { "calls": [write] }, { "text": "Written." },
    ], "final": "It ended." }));
    sandbox.set_rules("[[rule]]\nid = \"ask-to-write\"\neffect = \"ask\"\ntool = \"write\"\n");
    sandbox.run(&["exec", "--mode", "auto", "run it"]).ended(3);
    assert_eq!(phases(&sandbox.records()), [], "the job runs on");
    sandbox.write("go", "");
    sandbox.run(&["approve"]).ended(0);
    assert!(sandbox.workspace().join("asked").exists());
    assert_eq!(phases(&sandbox.records())[0].phase, JobState::Completed);
    sandbox.assert_checked();
}
