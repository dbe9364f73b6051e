//! SIGKILL of the process that began the job.

use super::job::{COMMAND, assert_ended_well, running, script};
use crate::support::{Sandbox, eventually};

#[test]
fn the_next_owner_finds_the_job_while_it_runs() {
    let sandbox = Sandbox::new(&script(COMMAND));
    running(&sandbox, &[]).kill();
    let resumed = sandbox.start(&["resume"]);
    sandbox.until("owner/acquired", 2);
    sandbox.write("go", "");
    assert_eq!(resumed.wait().ended(0).stdout, "It ended.\n");
    assert_ended_well(&sandbox);
}

#[test]
fn a_job_that_ended_while_nobody_owned_the_session_is_found_and_told_once() {
    let sandbox = Sandbox::new(&script(COMMAND));
    running(&sandbox, &[]).kill();
    sandbox.write("go", "");
    eventually("the job ends", || (!sandbox.read("ledger").is_empty()).then_some(()));
    assert_eq!(sandbox.run(&["resume"]).ended(0).stdout, "It ended.\n");
    assert_ended_well(&sandbox);
    sandbox.run(&["resume"]).ended(0);
    assert_ended_well(&sandbox);
}

#[test]
fn it_outlives_two_crashes() {
    let sandbox = Sandbox::new(&script(COMMAND));
    running(&sandbox, &[]).kill();
    let second = sandbox.start(&["resume"]);
    sandbox.until("owner/acquired", 2);
    second.kill();
    let third = sandbox.start(&["resume"]);
    sandbox.until("owner/acquired", 3);
    sandbox.write("go", "");
    assert_eq!(third.wait().ended(0).stdout, "It ended.\n");
    assert_ended_well(&sandbox);
}
