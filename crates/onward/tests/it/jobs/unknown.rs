//! A supervisor that is killed: nobody can tell by machine what became of its job.

use onward_event::{Event, JobReason, JobState, NoticeReason};
use rustix::process::{Signal, kill_process};

use super::job::{COMMAND, began, id, notices, phases, running, script};
use crate::support::{Sandbox, kill_supervisor};

#[test]
fn it_is_reconciled_and_settled_from_outside() {
    let sandbox = Sandbox::new(&script(COMMAND));
    let exec = running(&sandbox, &[]);
    let (command, _) = began(&sandbox);
    kill_supervisor(&sandbox);
    let ended = exec.wait().ended(5);
    // A namespace ends with its supervisor; where there is none, the command lives on, and nobody knows of it.
    let _ = kill_process(command, Signal::KILL);
    let records = sandbox.records();
    let job = id(&records);
    assert!(ended.stderr.contains(&format!("onward reconcile {job} --applied")), "{}", ended.stderr);
    let [phase] = <[_; 1]>::try_from(phases(&records)).unwrap();
    assert_eq!((phase.phase, phase.reason), (JobState::Reconciling, Some(JobReason::OutcomeUnknown)));
    let told = records.all(|event| match event {
        Event::NoticeAdded(notice) => Some(notice.reason),
        _ => None,
    });
    assert_eq!((told, notices(&records).len()), (vec![NoticeReason::JobUnknown], 0));
    sandbox.assert_checked();

    let settled = sandbox.run(&["reconcile", &job, "--not-applied", "--evidence", "I ended it"]).ended(0);
    assert_eq!(settled.stdout, "It ended.\n");
    let records = sandbox.records();
    let phase = phases(&records).pop().unwrap();
    assert_eq!((phase.phase, phase.reason), (JobState::Interrupted, Some(JobReason::Settled)));
    assert!(phase.summary.contains("I ended it"), "{}", phase.summary);
    assert_eq!(notices(&records).len(), 1);
    sandbox.assert_checked();
}
