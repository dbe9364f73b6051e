//! Jobs that are left to their supervisors, and looked at from outside.

use onward_event::JobState;

use super::job::{COMMAND, assert_ended_well, began, id, phases, running, script};
use crate::support::{Sandbox, eventually, lives};

#[test]
fn what_is_left_running_is_listed_read_and_found_by_the_next_owner() {
    let sandbox = Sandbox::new(&script(COMMAND));
    let left = running(&sandbox, &["--jobs", "leave"]).wait().ended(0);
    assert_eq!(left.stdout, "Started.\n");
    let job = id(&sandbox.records());
    assert!(left.stderr.contains(&format!("onward jobs cancel {job}")), "{}", left.stderr);
    let list = sandbox.run(&["jobs"]).ended(0).stdout;
    assert!(list.starts_with(&format!("{job}  running")), "{list}");
    assert!(sandbox.run(&["show"]).ended(0).stdout.contains(&job));
    let (elsewhere, workspace) = (sandbox.path().join("tmp"), sandbox.workspace());
    let all = |more: &[&str]| {
        let words = [&["jobs", "--all", "-C", elsewhere.to_str().unwrap()], more].concat();
        sandbox.run(&words).ended(0).stdout
    };
    let line = format!("{}  {}  {job}  running", sandbox.session(), workspace.display());
    assert!(all(&[]).starts_with(&line), "{}", all(&[]));
    let json: serde_json::Value = serde_json::from_str(all(&["--json"]).trim()).unwrap();
    assert_eq!(
        (&json["job"], &json["workspace"]),
        (&job.clone().into(), &workspace.to_str().unwrap().into())
    );
    let output = || sandbox.run(&["jobs", "output", &job]).ended(0).stdout;
    assert_eq!(eventually("its output", || Some(output()).filter(|text| !text.is_empty())), "begun\n");
    let follow = sandbox.start(&["jobs", "output", &job, "--follow"]);
    sandbox.write("go", "");
    assert_eq!(sandbox.run(&["resume", "--jobs", "wait"]).ended(0).stdout, "It ended.\n");
    assert_eq!(follow.wait().ended(0).stdout, "begun\nover\n", "each byte once, until the end");
    assert_ended_well(&sandbox);
}

#[test]
fn one_that_nobody_watches_can_be_cancelled() {
    let sandbox = Sandbox::new(&script(COMMAND));
    running(&sandbox, &["--jobs", "leave"]).wait().ended(0);
    let (command, _) = began(&sandbox);
    let job = id(&sandbox.records());
    let said = sandbox.run(&["jobs", "cancel", &job]).ended(0);
    assert!(said.stderr.contains("cancelled"), "{}", said.stderr);
    assert_eq!(phases(&sandbox.records())[0].phase, JobState::Cancelled);
    assert!(!lives(command));
    sandbox.run(&["jobs", "cancel", &job]).ended(0);
    assert_eq!(phases(&sandbox.records()).len(), 1);
    sandbox.assert_checked();
}
