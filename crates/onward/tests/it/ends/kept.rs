//! An interrupt cancels what runs, and nothing else: messages that wait are kept, and nothing begins that nobody asked for.

use insta::assert_snapshot;
use onward_event::{Event, StopReason};
use rustix::process::Signal;
use serde_json::json;

use crate::support::{Records, Sandbox, hanging, message, pid_of_command, shown_in, waiting_command};

/// How the turns ended.
fn ends(records: &Records) -> Vec<StopReason> {
    records.all(|event| match event {
        Event::TurnEnd(end) => Some(end.stop),
        _ => None,
    })
}

/// A message that waits when the turn is interrupted has a turn of its own after it, and the command says that it was
/// interrupted.
#[test]
fn what_waits_is_worked_on_after_an_interrupt_by_whoever_is_there() {
    for kind in ["--follow-up", "--steer"] {
        let sandbox = Sandbox::new(&waiting_command());
        let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
        pid_of_command(&sandbox);
        sandbox.run(&["send", kind, "mind this"]).ended(0);
        exec.signal(Signal::INT);
        let done = exec.wait().ended(130);
        assert_eq!(done.stdout, "It went.\n", "{kind}");
        let records = sandbox.records();
        assert_eq!(ends(&records), [StopReason::UserCancelled, StopReason::Final], "{kind}");
        shown_in(&records, message(&records, "mind this"));
        assert_eq!(sandbox.read("ledger"), "");
        sandbox.assert_checked();
    }
}

#[test]
fn an_interrupt_where_nobody_works_begins_nothing() {
    let sandbox = Sandbox::new(&waiting_command());
    let exec = sandbox.start(&["exec", "--mode", "auto", "wait"]);
    pid_of_command(&sandbox);
    exec.kill();
    sandbox.run(&["send", "--follow-up", "--no-run", "mind this"]).ended(0);
    let interrupt = sandbox.run(&["interrupt"]).ended(0);
    assert_snapshot!(sandbox.shown(&interrupt));
    let records = sandbox.records();
    assert_eq!((ends(&records), records.count("turn/start")), (vec![StopReason::UserCancelled], 1));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It went.\n");
    let records = sandbox.records();
    shown_in(&records, message(&records, "mind this"));
    sandbox.assert_checked();
}

/// A task that was left in order has no open turn; it is cancelled all the same, and not gone on with.
#[test]
fn a_task_that_was_left_in_the_middle_can_be_interrupted() {
    let sandbox = Sandbox::new(&hanging());
    let exec = sandbox.start(&["exec", "think"]);
    sandbox.until("attempt/start", 1);
    exec.signal(Signal::TERM);
    exec.wait().ended(130);
    let interrupt = sandbox.run(&["interrupt"]).ended(0);
    assert_snapshot!(sandbox.shown(&interrupt));
    let records = sandbox.records();
    assert_eq!(ends(&records), [StopReason::PausedForResume, StopReason::UserCancelled]);
    assert_eq!(records.count("attempt/start"), 1, "the model is not asked again");
    let nothing = sandbox.run(&["interrupt"]).ended(0);
    assert!(nothing.stderr.contains("nothing runs in"), "{nothing:?}");
    sandbox.assert_checked();
}

/// What was asked for did not come to its end, whatever came after it.
#[test]
fn whoever_waits_for_a_job_after_an_interrupt_says_that_it_was_interrupted() {
    let job = "until [ -e end ]; do sleep 0.02; done";
    let command = "echo $$ > pid; until [ -e go ]; do sleep 0.02; done; echo went >> ledger";
    let sandbox = Sandbox::new(&json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": job, "background": true } }] },
        { "calls": [{ "tool": "shell", "input": { "command": command } }] },
    ], "final": "The job has ended." }));
    let exec = sandbox.start(&["exec", "--mode", "auto", "run them"]);
    sandbox.until("tool/start", 2);
    sandbox.until("job/started", 1);
    exec.signal(Signal::INT);
    sandbox.until("turn/end", 1);
    sandbox.write("end", "");
    let done = exec.wait().ended(130);
    assert_eq!(done.stdout, "The job has ended.\n");
    sandbox.assert_checked();
}
