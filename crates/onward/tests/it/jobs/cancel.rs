//! The end of a job on request: everything that descends from its command is gone.

use onward_event::{JobReason, JobState};

use super::job::{COMMAND, id, notices, phases, running, script};
use crate::support::{Sandbox, eventually, lives};

/// A child in a session of its own, which its parent's end does not end.
const RUNAWAY: &str = "setsid sleep 1000 & echo $! > began.new && mv began.new began; wait";

#[test]
fn a_child_that_left_its_session_ends_with_its_job() {
    let sandbox = Sandbox::new(&script(RUNAWAY));
    let exec = running(&sandbox, &[]);
    let (child, supervisor) = super::job::began(&sandbox);
    let job = id(&sandbox.records());
    sandbox.run(&["jobs", "cancel", &job]).ended(0);
    // Nobody is woken by an end that was asked for.
    assert_eq!(exec.wait().ended(0).stdout, "Started.\n");
    let records = sandbox.records();
    let phase = phases(&records).pop().unwrap();
    assert_eq!((phase.phase, phase.reason), (JobState::Cancelled, Some(JobReason::Requested)));
    assert_eq!(notices(&records).len(), 1);
    assert!(!lives(child), "recorded only when the tree is gone");
    eventually("the supervisor ends", || (!lives(supervisor)).then_some(()));
    sandbox.assert_checked();
}

#[test]
fn an_interrupt_of_the_turn_leaves_the_job_alone() {
    let script = serde_json::json!({ "steps": [
        { "calls": [{ "tool": "shell", "input": { "command": COMMAND, "background": true } }] },
        { "text": "never said", "hang": true },
    ], "final": "It ended." });
    let sandbox = Sandbox::new(&script);
    let exec = sandbox.start(&["exec", "--mode", "auto", "run it"]);
    sandbox.until("attempt/start", 2);
    super::job::began(&sandbox);
    sandbox.run(&["interrupt"]).ended(0);
    sandbox.until("turn/end", 1);
    assert_eq!(phases(&sandbox.records()), []);
    sandbox.set_script(&serde_json::json!({ "final": "unused" }));
    exec.kill();
    sandbox.write("go", "");
    sandbox.run(&["resume"]).ended(0);
    assert_eq!(phases(&sandbox.records())[0].phase, JobState::Completed);
    sandbox.assert_checked();
}
