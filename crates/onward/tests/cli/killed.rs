//! SIGKILL at moments that are no commits: while a model streams, while a command runs, while a question stands, after a
//! message was acknowledged; and again and again.

use onward_event::{AttemptOutcome, Event, Handle, ResultStatus, StopReason};
use serde_json::{Value, json};

use crate::interrupts::{pid_of_command, waiting_command};
use crate::support::Sandbox;

fn hanging() -> Value {
    json!({ "steps": [{ "text": "never said", "hang": true }] })
}

/// How each attempt ended.
fn outcomes(sandbox: &Sandbox) -> Vec<(AttemptOutcome, String)> {
    sandbox.records().all(|event| match event {
        Event::AttemptEnd(end) => Some((end.outcome.clone(), end.partial.clone())),
        _ => None,
    })
}

#[test]
fn what_a_model_had_said_is_kept_and_it_is_asked_again() {
    let text = (0..2000).map(|n| format!("word{n} ")).collect::<String>();
    let sandbox = Sandbox::new(&json!({ "steps": [{ "text": text, "delta_ms": 30 }] }));
    let exec = sandbox.start(&["exec", "speak at length"]);
    let (_, side) = sandbox.until_side();
    exec.kill();
    sandbox.set_script(&json!({ "final": "In short." }));
    let resumed = sandbox.run(&["resume"]).ended(0);
    assert_eq!(resumed.stdout, "In short.\n");
    let [(first, partial), (second, nothing)] = outcomes(&sandbox).try_into().unwrap();
    assert_eq!(
        (first, second, nothing.as_str()),
        (AttemptOutcome::Interrupted, AttemptOutcome::Accepted, "")
    );
    assert!(partial.starts_with(&side) && text.starts_with(&partial), "{partial}");
    let body = sandbox.records().all(|event| match event {
        Event::AttemptStart(start) => Some(start.attempt),
        _ => None,
    });
    let request = sandbox.run(&["request", "show", &body[1].to_string()]).ended(0).stdout;
    assert!(!request.contains("word0"), "the model does not see what was not accepted");
    sandbox.assert_checked();
}

#[test]
fn a_message_that_was_acknowledged_is_delivered() {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "first"]);
    sandbox.until("attempt/start", 1);
    sandbox.run(&["send", "second"]).ended(0);
    exec.kill();
    sandbox.set_script(&json!({ "final": "Both." }));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "Both.\n");
    let records = sandbox.records();
    let received = records.all(|event| match event {
        Event::InboxReceived(received) => Some(received.message.id),
        _ => None,
    });
    let mut included = records
        .all(|event| match event {
            Event::RequestPrepared(prepared) => Some(prepared.includes.clone()),
            _ => None,
        })
        .concat();
    included.sort();
    assert_eq!(included, received, "each once");
    sandbox.assert_checked();
}

#[test]
fn a_question_stands_until_it_is_answered() {
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": "echo one >> ledger" } }] },
        { "text": "Written." },
    ] }));
    let mut talk = sandbox.start_talking(&[]);
    talk.expect("\n> ");
    talk.say("write");
    talk.expect("shell: ");
    talk.kill();
    assert!(sandbox.run(&["sessions"]).ended(0).stdout.contains("waits for an approval"));
    let waiting = sandbox.run(&["resume"]).ended(3);
    assert!(waiting.stderr.contains("onward approve appr_"), "{waiting:?}");
    assert_eq!(sandbox.read("ledger"), "");
    assert_eq!(sandbox.run(&["approve"]).ended(0).stdout, "Written.\n");
    assert_eq!(sandbox.read("ledger"), "one\n");
    assert_eq!(sandbox.records().count("approval/requested"), 1, "it was not asked twice");
    sandbox.assert_checked();
}

#[test]
fn a_command_that_ran_is_not_run_again() {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    pid_of_command(&sandbox);
    exec.kill();
    sandbox.write("go", "");
    let handles = sandbox.records().all(|event| match event {
        Event::ToolStart(start) => Some(start.handle.clone()),
        _ => None,
    });
    // Where it has a supervisor, it goes on while the runtime is dead, and its result is the real one.
    let code = if matches!(handles[0], Handle::InProcess) { 5 } else { 0 };
    sandbox.run(&["resume"]).ended(code);
    let records = sandbox.records();
    assert_eq!(records.count("tool/start"), 1);
    if code == 0 {
        let ended = records.all(|event| match event {
            Event::ToolResult(result) => Some(&result.status),
            _ => None,
        });
        assert_eq!((ended, sandbox.read("ledger").as_str()), (vec![&ResultStatus::Ok], "went\n"));
    }
    sandbox.assert_checked();
}

#[test]
fn it_goes_on_five_times_by_itself_and_not_a_sixth_time() {
    let sandbox = Sandbox::new(&hanging());
    let mut running = sandbox.start(&["exec", "think"]);
    for attempts in 1..=6 {
        sandbox.until("attempt/start", attempts);
        running.kill();
        running = sandbox.start(&["resume"]);
    }
    let last = running.wait().ended(6);
    let records = sandbox.records();
    assert_eq!(records.count("recovery/continuation"), 5);
    assert_eq!(records.count("attempt/start"), 6, "the first, and five more");
    let stop = records.all(|event| match event {
        Event::TurnEnd(end) => Some(end.stop),
        _ => None,
    });
    assert_eq!(stop.last(), Some(&StopReason::PausedForResume));
    insta::assert_snapshot!(sandbox.shown(&last));
    sandbox.assert_checked();

    sandbox.set_script(&json!({ "final": "At last." }));
    assert_eq!(sandbox.run(&["send", "try once more"]).ended(0).stdout, "At last.\n");
    sandbox.assert_checked();
}
