//! Places: a call that waits for a job holds none, and Ctrl-C ends waiting that is all there is left.

use rustix::process::Signal;
use serde_json::json;

use super::job::{COMMAND, assert_ended_well, began, id, running, script};
use crate::support::{Sandbox, lives};

#[test]
fn a_call_that_waits_for_a_job_lets_the_next_one_run() {
    let sandbox = Sandbox::new(&script(COMMAND));
    sandbox.set_config(&format!("{}\n[limits]\nmax_parallel_calls = 1\n", sandbox.scripted_config()));
    running(&sandbox, &["--jobs", "leave"]).wait().ended(0);
    let job = id(&sandbox.records());
    let said = json!({ "text": "said before" });
    sandbox.set_script(&json!({ "steps": [said, said, { "calls": [
        { "tool": "job_wait", "input": { "job": job, "seconds": 600 } },
        { "tool": "shell", "input": { "command": "touch go" } },
    ] }], "final": "Both ended." }));
    let session = sandbox.session().to_string();
    let exec = sandbox.run(&["exec", "--session", &session, "wait, and let it go"]).ended(0);
    assert!(exec.stdout.ends_with("Both ended.\n"), "{exec:?}");
    sandbox.assert_checked();
}

#[test]
fn ctrl_c_ends_the_waiting_for_jobs_and_the_jobs_go_on() {
    let sandbox = Sandbox::new(&script(COMMAND));
    let exec = running(&sandbox, &[]);
    let (command, _) = began(&sandbox);
    exec.signal(Signal::INT);
    let done = exec.wait().ended(130);
    assert_eq!(done.stdout, "Started.\n");
    let job = id(&sandbox.records());
    assert!(done.stderr.contains("a job goes on under its supervisor"), "{done:?}");
    assert!(done.stderr.contains(&format!("onward jobs cancel {job}")), "{done:?}");
    assert!(lives(command));
    assert_eq!(sandbox.records().kinds().last(), Some(&"owner/released"), "in order");
    sandbox.write("go", "");
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It ended.\n");
    assert_ended_well(&sandbox);
}
